#!/usr/bin/env python3
"""Checks a ticket's proof, a draw or a checkpoint without any code of drawhouse.

    inspector.py proof  PROOF.json  HOUSE_KEY  [CLAIM_CODE]  [--log-key KEY]  [--log-proof FILE]  [WITNESSES]
    inspector.py log    FOLDER  LOG_KEY  [--earlier FOLDER]  [WITNESSES]
    inspector.py entry  FILE.tlog-proof  LOG_KEY  [WITNESSES]
    inspector.py draw   EXPORT  DAY/GAME  HOUSE_KEY  DEVICE_KEY
    inspector.py witnessed  DRAW.json  HOUSE_KEY  DEVICE_KEY  [CUSTODIAN_KEY ...]  [--beacon-key KEY]
    inspector.py prefix EXPORT  CHECKPOINT  HOUSE_KEY
    inspector.py list   EXPORT

WITNESSES are --witness KEY for each witness whose cosignature you look for, and --quorum N for how many of them must
have cosigned: more than half of them, unless you say. A log that follows another is held against that one with
--earlier, its folder; for the third log give both, the newer one first. It needs Python 3.9 and nothing else. INSPECTOR.md, beside it, has the layouts.
"""

import base64
import datetime
import hashlib
import json
import os
import sys


class Wrong(Exception):
    """Something does not hold."""


def must(holds, what):
    if not holds:
        raise Wrong(what)


# Ed25519 (RFC 8032, section 5.1.7).

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(a, b):
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    i, j = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    m, n = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = j - i, n - m, n + m, j + i
    return e * f % P, g * h % P, f * g % P, e * h % P


def times_both(j, p, k, q):
    """Returns j times p and k times q together, with one doubling for both at each bit."""
    choice = {(1, 0): p, (0, 1): q, (1, 1): add(p, q)}
    product = (0, 1, 1, 0)
    for bit in range(max(j.bit_length(), k.bit_length()) - 1, -1, -1):
        product = add(product, product)
        if term := choice.get((j >> bit & 1, k >> bit & 1)):
            product = add(product, term)
    return product


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if x * x % P != xx:
        x = x * pow(2, (P - 1) // 4, P) % P
    must(y < P and x * x % P == xx, "a key or a signature is not a point of the curve")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def ed25519(public, text, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + public + text).digest(), "little") % L
    x, y, _, xy = point(public)
    x1, y1, z1, _ = times_both(s, BASE, k, (P - x, y, 1, P - xy))
    x2, y2, _, _ = point(r)
    return s < L and (x1 - x2 * z1) % P == 0 and (y1 - y2 * z1) % P == 0


# BLS12-381 (RFC 9380; draft-irtf-cfrg-pairing-friendly-curves): is a signature on G1 that of a beacon whose key is on G2?

FP = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
LOOP = 0xD201000000010000
G2 = (
    (0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8, 0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E),
    (0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801, 0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE),
)


# The isogeny of degree 11 of RFC 9380, appendix E.2: numerator and denominator of x, and of y, from the lowest power on. The last
# coefficient of each denominator is 1.

ISO_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
ISO_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
ISOGENY = [[int(number, 16) for number in text.split()] for text in """
11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7
17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c356e834eef1b3cb83bb
0d54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0
1778e7166fcc6db74e0609d307e55412d7f5e4656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861
0e99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9
1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983
0d6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f9c86b2a8da25128c1052ecaddd7f225a139ed84
17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e
080d3cf1f9a78fc47b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317
169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0327797f241067be390c9e
10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b
06e08c248e260e70bd1e962381edee3d31d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229
|
08ca8d548cff19ae18b2e62f4bd3fa6f01d5ef4ba35b48ba9c9588617fc8ac62b558d681be343df8993cf9fa40d21b1c
12561a5deb559c4348b4711298e536367041e8ca0cf0800c0126c2588c48bf5713daa8846cb026e9e5c8276ec82b3bff
0b2962fe57a3225e8137e629bff2991f6f89416f5a718cd1fca64e00b11aceacd6a3d0967c94fedcfcc239ba5cb83e19
03425581a58ae2fec83aafef7c40eb545b08243f16b1655154cca8abc28d6fd04976d5243eecf5c4130de8938dc62cd8
13a8e162022914a80a6f1d5f43e7a07dffdfc759a12062bb8d6b44e833b306da9bd29ba81f35781d539d395b3532a21e
0e7355f8e4e667b955390f7f0506c6e9395735e9ce9cad4d0a43bcef24b8982f7400d24bc4228f11c02df9a29f6304a5
0772caacf16936190f3e0c63e0596721570f5799af53a1894e2e073062aede9cea73b3538f0de06cec2574496ee84a3a
14a7ac2a9d64a8b230b3f5b074cf01996e7f63c21bca68a81996e1cdf9822c580fa5b9489d11e2d311f7d99bbdcc5a5e
0a10ecf6ada54f825e920b3dafc7a3cce07f8d1d7161366b74100da67f39883503826692abba43704776ec3a79a1d641
095fc13ab9e92ad4476d6e3eb3a56680f682b4ee96f7d03776df533978f31c1593174e4b4b7865002d6384d168ecdd0a
1
|
090d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33
134996a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696
00cc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d26d521628b00523b8dfe240c72de1f6
01f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb
08cc03fdefe0ff135caf4fe2a21529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb
16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23ab13633a5f0
04ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2
0987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29
09fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587
0e1bba7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30
19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e61031bf3a5cce3fbafce813711ad011c132
18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e
0b182cac101b9399d155096004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8
0245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d9d3f5db980133
05c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b
15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604
|
16112c4c3a9c98b252181140fad0eae9601a6de578980be6eec3232b5be72e7a07f3688ef60c206d01479253b03663c1
1962d75c2381201e1a0cbd6c43c348b885c84ff731c4d59ca4a10356f453e01f78a4260763529e3532f6102c2e49a03d
058df3306640da276faaae7d6e8eb15778c4855551ae7f310c35a5dd279cd2eca6757cd636f96f891e2538b53dbf67f2
16b7d288798e5395f20d23bf89edb4d1d115c5dbddbcd30e123da489e726af41727364f2c28297ada8d26d98445f5416
0be0e079545f43e4b00cc912f8228ddcc6d19c9f0f69bbb0542eda0fc9dec916a20b15dc0fd2ededda39142311a5001d
08d9e5297186db2d9fb266eaac783182b70152c65550d881c5ecd87b6f0f5a6449f38db9dfa9cce202c6477faaf9b7ac
166007c08a99db2fc3ba8734ace9824b5eecfdfa8d0cf8ef5dd365bc400a0051d5fa9c01a58b1fb93d1a1399126a775c
16a3ef08be3ea7ea03bcddfabba6ff6ee5a4375efa1f4fd7feb34fd206357132b920f5b00801dee460ee415a15812ed9
1866c8ed336c61231a1be54fd1d74cc4f9fb0ce4c6af5920abc5750c4bf39b4852cfe2f7bb9248836b233d9d55535d4a
167a55cda70a6e1cea820597d94a84903216f763e13d87bb5308592e7ea7d4fbc7385ea3d529b35e346ef48bb8913f55
04d2f259eea405bd48f010a01ad2911d9c6dd039bb61a6290e591b36e636a5c871a5c29f4f83060400f8b49cba8f6aa8
0accbb67481d033ff5852c1e48c50c477f94ff8aefce42d28c0f9a88cea7913516f968986f7ebbea9684b529e2561092
0ad6b9514c767fe3c3613144b45f1496543346d98adf02267d5ceef9a00d9b8693000763e3b90ac11e99b138573345cc
02660400eb2e4f3b628bdd0d53cd76f2bf565b94e72927c1cb748df27942480e420517bd8714cc80d1fadc1326ed06f7
0e0fa1d816ddc03e6b24255e0d7819c171c40f65e273b853324efcd6356caa205ca2f570f13497804415473a1d634b8f
1
""".split("|")]


def two(a, b):
    """Multiplies in the field of FP**2 elements: (a, b) is a + b*i, and i*i is -1."""
    return (a[0] * b[0] - a[1] * b[1]) % FP, (a[0] * b[1] + a[1] * b[0]) % FP


def minus(a, b):
    return (a[0] - b[0]) % FP, (a[1] - b[1]) % FP


def over(a, b):
    norm = pow(b[0] * b[0] + b[1] * b[1], FP - 2, FP)
    return two(a, (b[0] * norm, -b[1] * norm))


def slope(p, q):
    """The slope of the line through two points of y*y = x*x*x + b over FP**2, or of the tangent."""
    if p == q:
        return over(two((3, 0), two(p[0], p[0])), two((2, 0), p[1]))
    return over(minus(p[1], q[1]), minus(p[0], q[0]))


def plus(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and p[1] != q[1]:
        return None
    s = slope(p, q)
    x = minus(minus(two(s, s), p[0]), q[0])
    return x, minus(two(s, minus(p[0], x)), p[1])


def multiple(k, p):
    sum = None
    while k:
        if k & 1:
            sum = plus(sum, p)
        p, k = plus(p, p), k >> 1
    return sum


def root_of(n):
    """A square root of a number modulo FP, or None."""
    r = pow(n, (FP + 1) // 4, FP)
    return r if r * r % FP == n % FP else None


def root_of_two(a):
    """A square root in the field of FP**2 elements, or None."""
    s = root_of(a[0] * a[0] + a[1] * a[1])
    for t in () if s is None else ((a[0] + s) * (FP + 1) // 2, (a[0] - s) * (FP + 1) // 2):
        r = root_of(t)
        if r and two((r, a[1] * pow(2 * r, FP - 2, FP)), (r, a[1] * pow(2 * r, FP - 2, FP))) == a:
            return r, a[1] * pow(2 * r, FP - 2, FP) % FP
    return None


def decompress(data, b):
    """Reads a compressed point: x, and which of two values y has. A point of G1 is one with numbers that have no i."""
    flags, x = data[0] >> 5, bytes([data[0] & 31]) + data[1:]
    must(flags in (4, 5), "a point is not in its compressed form")
    x = tuple(int.from_bytes(x[i : i + 48], "big") for i in range(len(x) - 48, -1, -48))
    must(max(x) < FP, "a point has a number that is too great")
    x = x if len(x) == 2 else (x[0], 0)
    cube = two(x, two(x, x))
    yy = (cube[0] + b[0]) % FP, (cube[1] + b[1]) % FP
    y = root_of_two(yy) if len(data) == 96 else (root_of(yy[0]), 0)
    must(y is not None and y[0] is not None, "a point is not on its curve")
    greater = y[1] > FP // 2 if y[1] else y[0] > FP // 2
    if greater != (flags == 5):
        y = -y[0] % FP, -y[1] % FP
    must(multiple(ORDER, (x, y)) is None, "a point is not in its group")
    return x, y


def hashed(message):
    """Returns the point of G1 for a message: BLS12381G1_XMD:SHA-256_SSWU_RO_."""
    name = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
    name += bytes([len(name)])
    first = hashlib.sha256(bytes(64) + message + b"\0\x80\0" + name).digest()
    blocks = [hashlib.sha256(first + b"\1" + name).digest()]
    for i in range(2, 5):
        blocks.append(hashlib.sha256(bytes(m ^ n for m, n in zip(first, blocks[-1])) + bytes([i]) + name).digest())
    data, sum = b"".join(blocks), None
    for u in (int.from_bytes(data[i : i + 64], "big") % FP for i in (0, 64)):
        z = 11 * u * u % FP
        t = (z * z + z) % FP
        x = (-ISO_B * pow(ISO_A, FP - 2, FP) * (1 + pow(t, FP - 2, FP)) if t else ISO_B * pow(11 * ISO_A, FP - 2, FP)) % FP
        y = root_of(x * x * x + ISO_A * x + ISO_B)
        if y is None:
            x = z * x % FP
            y = root_of(x * x * x + ISO_A * x + ISO_B)
        if y % 2 != u % 2:
            y = FP - y
        top, below, up, down = (sum_of(k, x) for k in ISOGENY)
        sum = plus(sum, ((top * pow(below, FP - 2, FP) % FP, 0), (y * up * pow(down, FP - 2, FP) % FP, 0)))
    return multiple(LOOP + 1, sum)


def sum_of(coefficients, x):
    value = 0
    for c in reversed(coefficients):
        value = (value * x + c) % FP
    return value


def twelve(a, b):
    """Multiplies in the field of FP**12 elements: polynomials of w, and w**12 is 2*w**6 - 2."""
    c = [0] * 23
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                c[i + j] += x * y
    for i in range(22, 11, -1):
        c[i - 6] += 2 * c[i]
        c[i - 12] -= 2 * c[i]
    return [x % FP for x in c[:12]]


def miller(q, p):
    """The value at p of the lines by which q is multiplied with LOOP."""
    f, t, (x, _), (y, _) = [1] + [0] * 11, q, *p
    for bit in bin(LOOP)[3:]:
        f = twelve(f, f)
        for other in (t, q) if bit == "1" else (t,):
            other = t if other is not q else q
            s = slope(t, other)
            c, d = minus(two(s, t[0]), t[1]), two(s, (-x, 0))
            f = twelve(f, [c[0] - c[1], 0, d[0] - d[1], y, 0, 0, c[1], 0, d[1], 0, 0, 0])
            t = plus(t, other)
    return f


def bls(public, message, signature):
    key, of = decompress(public, (4, 4)), decompress(signature, (4, 0))
    h, exponent, power, f = hashed(message), (FP**12 - 1) // ORDER, [1] + [0] * 11, None
    f = twelve(miller(key, h), miller(G2, (of[0], (-of[1][0] % FP, 0))))
    for bit in bin(exponent)[2:]:
        power = twelve(power, power)
        if bit == "1":
            power = twelve(power, f)
    return power == [1] + [0] * 11


NOTES, COSIGNATURES = 1, 4  # the byte before a key says what it signs


def signature_of(signed, vkey, kind):
    """Returns name and key of a verifier key, the text of a note, and what stands behind the key's id in its line."""
    name, key_id, key = vkey.split("+", 2)
    key = base64.b64decode(key, validate=True)
    must(hashlib.sha256(name.encode() + b"\n" + key).hexdigest()[:8] == key_id and len(key) == 33 and key[0] == kind, "the key is mistyped")
    text, lines = signed.rsplit("\n\n", 1)
    for line in lines.splitlines():
        dash, who, signature = line.split(" ")
        signature = base64.b64decode(signature, validate=True)
        if dash == "—" and who == name and signature[:4].hex() == key_id:
            return name, key[1:], text + "\n", signature[4:]
    return name, key[1:], text + "\n", None


def note(signed, vkey):
    """Returns the text of a signed note (C2SP signed-note) that the key signed."""
    name, key, text, signature = signature_of(signed, vkey, NOTES)
    must(signature is not None, "%s did not sign" % vkey)
    must(ed25519(key, text.encode(), signature), "the signature of %s is wrong" % name)
    return text


def cosigned(signed, witnesses, quorum):
    """Demands that enough witnesses cosigned a checkpoint (C2SP tlog-cosignature): each signs a time, too."""
    names, seen = {vkey.split("+")[0] for vkey in witnesses}, {}
    for vkey in witnesses:
        name, key, text, signature = signature_of(signed, vkey, COSIGNATURES)
        if signature is None:
            continue
        time = int.from_bytes(signature[:8], "big")
        must(len(signature) == 72 and ed25519(key, b"cosignature/v1\ntime %d\n" % time + text.encode(), signature[8:]), "the cosignature of %s is wrong" % name)
        seen[name] = time
    for name, time in seen.items():
        print("witness    %s had seen this log, and none that contradicts it, at %s by its own clock" % (name, utc(1000 * time)))
    if not names and not quorum:
        print("witness    WHO ELSE HAS SEEN THIS LOG was not asked: no key of a witness given")
        return
    quorum = int(quorum or len(names) // 2 + 1)
    must(len(seen) >= quorum, "%d of %d witnesses have cosigned the log, and %d must" % (len(seen), len(names), quorum))


# The tree of RFC 6962, section 2.1.


def leaf(data):
    return hashlib.sha256(b"\0" + data).digest()


def node(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(root(leaves[:k]), root(leaves[k:]))


def climb(hash, index, size, path):
    """Returns the root to which a path leads (RFC 9162, section 2.1.3.2)."""
    last = size - 1
    for sibling in path:
        must(last > 0, "the path is too long")
        if index & 1 or index == last:
            hash = node(sibling, hash)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            hash = node(hash, sibling)
        index, last = index >> 1, last >> 1
    must(last == 0, "the path is too short")
    return hash


# Records: CBOR (RFC 8949) as far as they use it.


def cbor(data, at=0):
    major, short = data[at] >> 5, data[at] & 31
    at += 1
    value = short
    if short >= 24 and major != 7:
        width = 1 << short - 24
        value, at = int.from_bytes(data[at : at + width], "big"), at + width
    if major == 0:
        return value, at
    if major == 1:
        return -1 - value, at
    if major in (2, 3):
        text = data[at : at + value]
        return (text if major == 2 else text.decode()), at + value
    if major == 4:
        items = []
        for _ in range(value):
            item, at = cbor(data, at)
            items.append(item)
        return items, at
    if major == 5:
        pairs = {}
        for _ in range(value):
            key, at = cbor(data, at)
            pairs[key], at = cbor(data, at)
        return pairs, at
    return {20: False, 21: True, 22: None}[short], at


def record(data):
    fields, end = cbor(data)
    must(end == len(data), "something follows the record")
    return fields


KINDS = """volume begun|rulebook adopted|series begun|venue added|terminal added|day opened|day closed|game opened
ticket sold|game closed|game sealed|number drawn|game drawn|game settled|ticket paid|request burned"""
KINDS = dict(enumerate(KINDS.replace("\n", "|").split("|"), 1))
KINDS.update({120: "device chosen", 121: "chain committed", 122: "link released", 127: "links committed", 128: "link given", 226: "beacon chosen", 227: "round given", 170: "result corrected"})


def records(export):
    """Yields volume, number and bytes of every record: a varint of the length, then the record."""
    about = json.load(open(os.path.join(export, "house.json")))
    folders = [(v, "volumes/%d" % v) for v in about.get("earlier", [])] + [(about["volume"], "")]
    for volume, folder in folders:
        n, seq = 0, 0
        while os.path.exists(name := os.path.join(export, folder, "records-%08d.cbor" % n)):
            data, at, n = open(name, "rb").read(), 0, n + 1
            while at < len(data):
                length, shift = 0, 0
                while True:
                    byte, at = data[at], at + 1
                    length |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                yield volume, seq, data[at : at + length]
                at, seq = at + length, seq + 1


def date(days):
    return datetime.date.fromordinal(days).isoformat()


def fields_of(text):
    lines = text.splitlines()
    return lines[0], [line.split(" ") for line in lines[1:]]


# What can be checked.


def check_proof(file, house_key, code=None, log_key=None, log_proof=None, witness=(), quorum=None):
    proof = json.load(open(file))
    b64 = base64.b64decode
    data, seq = b64(proof["record"]), proof["seq"]
    volumes = [volume_begun(v) for v in proof.get("volumes", [])]
    house_key = handed_over(house_key, volumes)
    text = note(proof["seal"], house_key)
    form, lines = fields_of(text)
    must(form == "drawhouse/seal/v1", "this is no seal")
    seal = {line[0]: line[1] for line in lines if line[0] != "open"}
    print("seal       signed by %s, of game %s/%s, fingerprint %s" % (house_key.split("+")[0], seal["day"], seal["game"], fingerprint(text)))

    origin, size, top = seal["origin"], int(seal["size"]), b64(seal["root"])
    for v in reversed(volumes):
        must(climb(v["leaf"], 0, size, v["path"]) == top, "the record that begins %s is not in it" % origin)
        origin, size, top = v["previous"]
        print("volume     %s ended with %d records, says the first record of the volume after it" % (origin, size))
    must(climb(leaf(data), seq, size, [b64(h) for h in proof["inclusion"]]) == top, "the record is not in the sealed log")
    print("record     is number %d of the %d records of %s under the seal" % (seq, size, origin))

    volume = int(origin.rsplit("/v", 1)[1])
    spans = [line for line in lines if line[0] == "open" and int(line[1]) == volume]
    must(len(spans) == 1, "the seal has no tickets of the volume")
    first, length, top = int(spans[0][2]), int(spans[0][3]), b64(spans[0][4])
    bit, bits = seq - first, int(seal["chunk-bits"])
    chunk, index = b64(proof["bit"]["chunk"]), proof["bit"]["index"]
    must(0 <= bit < length and index == bit // bits and len(chunk) * 8 == bits, "the chunk is not the one of the ticket")
    must(climb(leaf(chunk), index, (length + bits - 1) // bits, [b64(h) for h in proof["bit"]["path"]]) == top, "the chunk is not under the seal")
    must(chunk[bit % bits // 8] >> bit % 8 & 1, "the ticket's bit is not set: it is not in the game")
    print("bit        %d of the tickets that play is set" % bit)

    if log_key is None:
        must(log_proof is None and not witness and not quorum, "whose log it is shows only with --log-key")
        print("log        the public log was not asked: no --log-key given")
    else:
        shown = open(log_proof, encoding="utf-8").read() if log_proof else proof.get("log_proof")
        must(shown, "nothing shows the seal in the public log: %s" % proof.get("unlogged", "the proof has no log_proof"))
        entry, house = proven_entry(shown, log_key, witness, quorum)
        must(house == seal["origin"].rsplit("/v", 1)[0], "the log is of another house")
        must(entry["kind"] == ["game-sealed"] and [entry[k][0] for k in ("series", "day", "game")] == [seal[k] for k in ("series", "day", "game")], "the entry is of something else")
        must(entry["journal"] == [seal["origin"] + " " + seal["size"] + " " + seal["root"]], "the entry names another journal")
        must(note(base64.b64decode(entry["note"][0]).decode(), house_key) == text, "the entry has another seal")
        print("log        that entry is this seal")

    kind, _, time, _, body = record(data)
    must(KINDS[kind] == "ticket sold", "the record is of a %s" % KINDS[kind])
    print("ticket     sold %s by terminal %d, request %d, for %d cents" % (utc(time), body[0][0], body[0][1], body[9]))
    _, book, (day, game), games, bets = body[7]
    print("           by %s, games from %s/%d: %d" % (book, date(day), game, games))
    for bet in bets:
        sets = [bet[3]] if 3 in bet else bet.get(4, [])
        print("           %s %s at %d cents" % (bet[1], ", ".join(" ".join(map(str, s)) for s in sets), bet[2]))
    if code is None:
        print("           whose ticket it is was not asked: no claim code given")
    else:
        must(claim_hash(code, *body[0][:2]) == body[10], "the claim code is not of this ticket")
        print("           with this claim code")


# The public log: C2SP tlog-tiles, tlog-proof. Its leaves are hashes of entries, which are short texts.


# Rounds of a public beacon in the form of drand's quicknet. Times are milliseconds since 1970 UTC.

NEWEST = 3  # rounds of a log whose signatures are verified; one takes a second


def check_round(key, number, signature):
    must(len(signature) == 48, "the signature of round %d has %d bytes, and its one form has 48" % (number, len(signature)))
    must(bls(key, hashlib.sha256(number.to_bytes(8, "big")).digest(), signature), "round %d is not signed by the beacon" % number)


def round_after(genesis, period, closes):
    """Returns number and time of the first round at or after six seconds behind a close."""
    steps = max(0, -((genesis - closes - 6000) // (1000 * period)))
    return steps + 1, genesis + 1000 * period * steps


def stamps(signed):
    """Returns when who says to have cosigned, in seconds, by the lines under a checkpoint. It verifies none of them."""
    lines = [line.split(" ") for line in signed.rsplit("\n\n", 1)[1].splitlines()]
    lines = [(who, base64.b64decode(signature)) for _, who, signature in lines]
    return {who: int.from_bytes(data[4:12], "big") for who, data in lines if len(data) == 76}


class Rounds:
    """What a log says of beacons: which round a game must have, and that its seal was cosigned before."""

    def __init__(self):
        self.devices, self.beacons, self.cosigners, self.games, self.given = {}, {}, ([], []), {}, []

    def take(self, index, entry):
        kind, one = entry["kind"][0], lambda key: entry[key][0]
        if kind == "device":
            self.devices[one("series")] = one("device"), [key.split("+")[0] for key in entry.get("custodian", [])]
        elif kind == "witnesses":
            self.cosigners = tuple([key.split("+")[0] for key in entry.get(who, [])] for who in ("required", "optional"))
        elif kind == "beacon":
            kept = [b for b in self.beacons.get(one("series"), []) if b[0] < one("from")]
            key = bytes.fromhex(entry["key"][0]) if "key" in entry else None
            chain = base64.b64decode(one("chain"))
            self.beacons[one("series")] = kept + [(one("from"), chain, key, 1000 * int(one("genesis")), int(one("period")))]
        elif kind in ("game-opened", "game-sealed", "round", "result", "game-void"):
            self.game(index, kind, entry, "%s %s/%s" % (one("series"), one("day"), one("game")))

    def game(self, index, kind, entry, name):
        if kind == "game-opened":
            device, custodians = self.devices.get(entry["series"][0], ("", []))
            beacon = ([b for b in self.beacons.get(entry["series"][0], []) if b[0] <= entry["day"][0]] or [("", b"", None, 0, 0)])[-1]
            stated = [int(n) for n in entry.get("round", [])]
            if device != "witnessed" or not beacon[2]:
                must(not stated, "entry %d: game %s names a round, and no beacon is part of its draw" % (index, name))
                return
            number, at = round_after(beacon[3], beacon[4], int(entry["closes"][0]))
            must(stated == [number], "entry %d: game %s names round %s, and its round is %d" % (index, name, stated, number))
            must(int(entry["time"][0]) < at, "entry %d: game %s names its round when it is known" % (index, name))
            self.games[name] = {"key": beacon[2], "round": number, "at": at, "custodians": custodians}
            return
        game = self.games.get(name)
        must(game or kind != "round", "entry %d: a round for game %s, which has none" % (index, name))
        if not game:
            return
        if kind == "game-sealed":
            game["sealed"], game["cosigners"] = index, (game["custodians"] + self.cosigners[0], self.cosigners[1])
        elif kind == "result":
            must("given" in game, "entry %d: game %s has a result and no round" % (index, name))
        elif kind == "game-void":
            must("given" not in game, "entry %d: game %s is void, and its round is known" % (index, name))
        else:
            self.round(index, game, entry, name)

    def round(self, index, game, entry, name):
        must(int(entry["round"][0]) == game["round"], "entry %d: round %s for game %s, whose round is %d" % (index, entry["round"][0], name, game["round"]))
        must("sealed" in game and "given" not in game, "entry %d: a round for game %s, which does not wait for one" % (index, name))
        signature = bytes.fromhex(entry["signature"][0])
        must(len(signature) == 48, "entry %d: a signature of %d bytes, and its one form has 48" % (index, len(signature)))
        signed, latest = base64.b64decode(entry["checkpoint"][0]).decode(), (game["at"] - 2000) // 1000
        must(game["sealed"] < int(signed.splitlines()[1]) <= index, "entry %d: the checkpoint does not show the seal of game %s" % (index, name))
        times, (musts, others) = stamps(signed), game["cosigners"]
        who = musts or [name for name in others if name in times]
        late = [w for w in who if times.get(w, latest + 1) > latest]
        must(who and not late, "entry %d: the seal of game %s was not cosigned by %s before its round could be known" % (index, name, ", ".join(late) or "anybody"))
        game["given"] = True
        self.given.append((game["key"], game["round"], signature, signed, name))

    def close(self, log_key, witnesses, quorum):
        """Verifies the newest rounds, and who cosigned before them."""
        for key, number, signature, signed, name in self.given[-NEWEST:]:
            check_round(key, number, signature)
            signed_log(signed, log_key)
            print("round      %d of game %s, signed by the beacon of the key %s..." % (number, name, key.hex()[:16]))
            cosigned(signed, witnesses, quorum)
        if len(self.given) > NEWEST:
            print("round      SIGNATURES OF %d EARLIER ROUNDS ARE NOT CHECKED here: drawhouse watch does" % (len(self.given) - NEWEST))


def entry_fields(data):
    """Reads an entry: the values of each key. An entry of a kind that this program does not know has only the first three."""
    must(data.endswith(b"\n") and len(data) <= 65535, "an entry ends with a line and has at most 65535 bytes")
    form, *lines = data.decode().split("\n")[:-1]
    must(form == "drawhouse/log/v1", "an entry is of another form")
    pairs = [line.split(" ", 1) for line in lines]
    must([p[0] for p in pairs[:3]] == ["kind", "time", "record"] and all(len(p) == 2 for p in pairs), "an entry has not the lines of one")
    fields = {}
    for key, value in pairs:
        fields.setdefault(key, []).append(value)
    if fields["kind"] == ["bingo-sealed"]:
        must(all(len(fields.get(key, [])) == 1 for key in ("hall", "session", "game", "draw")), "the entry of a seal has not the lines of one")
    if fields["kind"] == ["game-sealed"]:
        must(all(len(fields.get(key, [])) == 1 for key in ("series", "day", "game", "note", "journal", "from")), "the entry of a seal has not the lines of one")
    return fields


def signed_log(signed, log_key):
    """Returns origin, size and root of a checkpoint of the log, and the house whose log it is."""
    origin, size, top = note(signed, log_key).splitlines()
    house, _, number = origin.rpartition("/log")
    must(origin == log_key.split("+")[0] and house and (number == "" or number.isdigit()), "the checkpoint is of %s, which is not the log of that key" % origin)
    return origin, int(size), base64.b64decode(top), house


def proven_entry(text, log_key, witnesses, quorum):
    """Reads a C2SP tlog-proof whose extra data is the entry, and returns the entry and the house whose log it is."""
    head, empty, signed = text.partition("\n\n")
    form, *lines = head.split("\n")
    must(form == "c2sp.org/tlog-proof@v1" and empty, "this is no tlog-proof")
    must(lines and lines[0].startswith("extra "), "the proof has no entry as its extra data")
    data, index = base64.b64decode(lines[0][6:], validate=True), lines[1].partition("index ")[2]
    must(str(int(index)) == index, "the index is not a whole number")
    origin, size, top, house = signed_log(signed, log_key)
    must(0 <= int(index) < size and climb(leaf(data), int(index), size, [base64.b64decode(h, validate=True) for h in lines[2:]]) == top, "the entry is not in the log")
    print("log        %s with %d entries, signed by its key; one of them is number %s" % (origin, size, index))
    cosigned(signed, witnesses, quorum)
    return entry_fields(data), house


def check_entry(file, log_key, witness=(), quorum=None):
    entry, _ = proven_entry(open(file, encoding="utf-8").read(), log_key, witness, quorum)
    print("entry      %s, record %s, %s" % (entry["kind"][0], entry["record"][0], utc(int(entry["time"][0]))))
    if entry["kind"] == ["game-sealed"]:
        print("           of game %s/%s, fingerprint %s" % (entry["day"][0], entry["game"][0], fingerprint(base64.b64decode(entry["note"][0]).decode().rpartition("\n\n")[0] + "\n")))


def log_entries(folder, size):
    """Yields the first entries of a log: bundles of 256, each entry behind its length in two bytes."""
    for bundle in range((size + 255) // 256):
        want, name = min(256, size - 256 * bundle), "%03d" % (bundle % 1000)
        while bundle >= 1000:
            bundle //= 1000
            name = "x%03d/%s" % (bundle % 1000, name)
        path = os.path.join(folder, "tile", "entries", *name.split("/"))
        if not os.path.exists(path):  # It is not full yet: one of those that have enough.
            widths = sorted(int(w) for w in os.listdir(path + ".p") if int(w) >= want)
            must(widths, "the folder has not all of the entries")
            path = os.path.join(path + ".p", str(widths[0]))
        data, at = open(path, "rb").read(), 0
        for _ in range(want):
            length = int.from_bytes(data[at : at + 2], "big")
            must(at + 2 + length <= len(data), "%s ends within an entry" % path)
            yield data[at + 2 : at + 2 + length]
            at += 2 + length


def earlier_days(begun, folders):
    """Reads the logs before one that begins with an entry, and returns the newest Keno Day that they opened, by series."""
    days = {}
    for folder in folders:
        said = base64.b64decode(begun["note"][0], validate=True).decode().partition("\n\n")[0].split("\n")
        before = [line.split(" ")[1:] for line in said if line.startswith("before ")]
        must(len(before) == 1 and len(before[0]) == 3, "the log says of none that it follows it, and %s is given" % folder)
        origin, size, top = before[0][0], int(before[0][1]), base64.b64decode(before[0][2], validate=True)
        entries = list(log_entries(folder, size))
        must(size and root([leaf(data) for data in entries]) == top, "%s does not come to the end of %s that the log behind it names" % (folder, origin))
        begun = entry_fields(entries[0])
        for entry in map(entry_fields, entries):
            if entry["kind"][0] in ("game-opened", "game-sealed"):
                series, day = entry["series"][0], entry["day"][0]
                days[series] = max(days.get(series, ""), day)
        print("earlier    %s with %d entries comes to the end that the log behind it names" % (origin, size))
    return days


class Voids:
    """Void games of which the log has all links, before the void or behind it: everybody can work out their results."""

    def __init__(self):
        self.devices, self.games, self.settled, self.rows, self.known = {}, {}, {}, {}, 0

    def take(self, index, entry):
        kind, one = entry["kind"][0], lambda key: entry[key][0]
        if kind == "device":
            self.devices[one("series")] = len(entry.get("custodian", []))
        elif kind == "settled" and one("revision") == "1":
            self.settled[one("series")] = self.settled.get(one("series"), 0) + 1
        elif kind in ("game-sealed", "link", "game-void"):
            name = "%s %s/%s" % (one("series"), one("day"), one("game"))
            game = self.games.setdefault(name, {"custodians": self.devices.get(one("series"), 0), "links": set(), "row": None})
            if kind == "link":
                game["links"].add(one("custodian"))
            elif kind == "game-void":
                game["row"] = one("series"), self.settled.get(one("series"), 0)
            self.count(index, name, game)

    def count(self, index, name, game):
        """Counts a void game once its links are all there; two without a settled game between them are refused."""
        if game["row"] is None or not game["custodians"] or len(game["links"]) < game["custodians"] or "counted" in game:
            return
        game["counted"] = True
        self.known += 1
        self.rows[game["row"]] = self.rows.get(game["row"], 0) + 1
        must(self.rows[game["row"]] < 2, "entry %d: %d games up to %s are void in a row although all their links are in the log" % (index, self.rows[game["row"]], name))


def check_log(folder, log_key, witness=(), quorum=None, earlier=()):
    """Works the root of a log out from its entries, and looks for two seals of one game, also behind earlier logs."""
    signed = open(os.path.join(folder, "checkpoint"), encoding="utf-8").read()
    origin, size, top, _ = signed_log(signed, log_key)
    leaves, kinds, seals, rounds, voids, past = [], {}, {}, Rounds(), Voids(), {}
    for index, data in enumerate(log_entries(folder, size)):
        leaves.append(leaf(data))
        entry = entry_fields(data)
        kind = entry["kind"][0]
        kinds[kind] = kinds.get(kind, 0) + 1
        rounds.take(index, entry)
        voids.take(index, entry)
        if index == 0 and earlier:
            past = earlier_days(entry, earlier)
        if kind in ("game-opened", "game-sealed"):
            series, day = entry["series"][0], entry["day"][0]
            must(day > past.get(series, ""), "entry %d: %s of game %s %s %s, and an earlier log had games of %s, whose links may be known" % (index, kind, series, day, entry["game"][0], past.get(series)))
        if kind in ("game-sealed", "bingo-sealed"):
            game = " ".join(entry[key][0] for key in (("series", "day", "game") if kind == "game-sealed" else ("hall", "session", "game", "draw")))
            must(game not in seals, "entry %d is a second seal of game %s; the first is entry %s" % (index, game, seals.get(game)))
            seals[game] = index
    must(root(leaves) == top, "the entries do not come to the root that was signed")
    print("log        %s with %d entries comes to the root that its key signed" % (origin, size))
    cosigned(signed, witness, quorum)
    rounds.close(log_key, witness, quorum)
    if voids.known:
        print("voids      %d games are void although all their links are in the log; hold each against the rulebook" % voids.known)
    for kind in sorted(kinds):
        print("entries    %6d %s" % (kinds[kind], kind))


def volume_begun(volume):
    """Reads the first record of a volume: its leaf hash and path, the end of the volume before, its note."""
    data = base64.b64decode(volume["record"])
    path = [base64.b64decode(h) for h in volume["inclusion"]]
    return {"leaf": leaf(data), "path": path, **beginning(data)}


def beginning(data):
    """Reads what the first record of a volume that follows another says of the two."""
    kind, _, _, _, body = record(data)
    must(KINDS[kind] == "volume begun", "the record is of a %s" % KINDS[kind])
    origin, size, top = body[8].decode().split("\n\n")[0].split("\n")
    return {"previous": (origin, int(size), base64.b64decode(top)), "key": body[4], "device": body[5], "note": body[12].decode()}


def vouched(known, volumes):
    """Returns the keys that a known key leads to: each volume begins with a note that two keys signed."""
    keys = [known]
    for _ in volumes:
        for v in volumes:
            form, lines = fields_of(v["note"].split("\n\n")[0])
            said = {line[0]: line[1:] for line in lines}
            must(form == "drawhouse/volume/v1" and (said["house-key"], said["device-key"]) == ([v["key"]], [v["device"]]), "the note of a volume is of another one")
            must(said["previous"] == [v["previous"][0], str(v["previous"][1]), base64.b64encode(v["previous"][2]).decode()], "the note of a volume is of another one")
            pair = [said["previous-key"][0], said["house-key"][0]]
            for key in [k for k in keys if k in pair]:
                try:
                    note(v["note"], key)
                except Wrong:
                    continue  # It was lost, and has not signed.
                keys += [k for k in pair if k not in keys]
    return keys


def handed_over(known, volumes):
    """Returns the key of the last volume, which a known key leads to."""
    keys = vouched(known, volumes)
    last = volumes[-1]["key"] if volumes else known
    must(last in keys, "the key that you gave did not sign for the one of the seal, %s" % last)
    if last != known:
        print("key        %s has handed the house over; the seal's is %s" % (known, last))
    return last


def claim_hash(code, terminal, request):
    """Hashes the claim code of a ticket: 16 characters of Crockford's base 32."""
    digits = code.upper().translate(str.maketrans("OIL", "011", "- "))
    number = 0
    for digit in digits:
        number = number * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(digit)
    must(len(digits) == 16, "a claim code has 16 characters")
    text = b"drawhouse/claim-code/v2\n" + terminal.to_bytes(4, "big") + request.to_bytes(8, "big")
    opening = hashlib.sha256(text + number.to_bytes(10, "big")).digest()
    return hashlib.sha256(opening).digest()


def utc(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc).isoformat(" ", "milliseconds")


def fingerprint(text):
    digits = hashlib.sha256(text.encode()).hexdigest()[:32]
    return "-".join(digits[i : i + 4] for i in range(0, 32, 4))


# Witnessed draws: the bytes are SHAKE256 of a text with the seal and the custodians' links.


def root_of_link(said, number, link, path):
    """Returns the root of RFC 6962 to which the path of a link leads."""
    text = "drawhouse/link/v2\ncustodian %s\nseries %s\nday %s\ngame %s\nlink %s\n"
    text %= (said["custodian"], said["series"], said["day"], number, base64.b64encode(link).decode())
    value, path = hashlib.sha256(b"\0" + text.encode()).digest(), list(path)
    index, last = int(number) - int(said["first"]), int(said["games"]) - 1
    while last > 0:
        if index % 2 == 1:
            value = hashlib.sha256(b"\1" + path.pop(0) + value).digest()
        elif index < last:
            value = hashlib.sha256(b"\1" + value + path.pop(0)).digest()
        index, last = index // 2, last // 2
    must(not path, "the path of the link is too long")
    return value


def chain_tip(commitment, game, draw, link, path):
    """Returns what a link leads to, and the root or the tip that the commitment states."""
    form, lines = fields_of(commitment)
    said = {line[0]: line[1] for line in lines}
    day, number = game.split("/")
    must(form in ("drawhouse/chain/v1", "drawhouse/links/v1") and said["day"] == day, "the commitment is for another day")
    must(0 <= int(number) - int(said["first"]) < int(said["games"]), "the commitment is for other games")
    if form == "drawhouse/links/v1":
        must(draw == 1, "a game has one link, and one draw")
        return root_of_link(said, number, link, path), base64.b64decode(said["root"])
    name = hashlib.sha256(commitment.split("tip ")[0].encode()).digest()
    place, value = (int(number) - int(said["first"])) * 3 + draw, link
    while place > 0:
        place -= 1
        value = hashlib.sha256(name + place.to_bytes(4, "big") + value).digest()
    return value, base64.b64decode(said["tip"])


def witnessed_bytes(seal, draw, links, beacon=None):
    """Returns the bytes of a draw from the text of the seal, the links by custodian, and chain, round and signature of a beacon."""
    said = {line[0]: line[1:] for line in fields_of(seal)[1]}
    b64 = lambda data: base64.b64encode(data).decode()
    text = "drawhouse/witnessed/v%d\n" % (2 if beacon else 1)
    text += "series %s\nday %s\ngame %s\nrevision %d\nof 80\n" % (" ".join(said["series"]), said["day"][0], said["game"][0], draw)
    text += "seal %s\n" % b64(hashlib.sha256(seal.encode()).digest())
    for name in sorted(links):
        text += "custodian %s\nlink %s\n" % (name, b64(links[name]))
    if beacon:
        text += "beacon %s\nround %d\nsignature %s\n" % (beacon[0].hex(), beacon[1], beacon[2].hex())
    return hashlib.shake_256(text.encode()).digest(4096)


def pick(remaining, stream):
    """Takes the next number that bytes give, and returns it with the bytes that it used."""
    m, used = len(remaining), 0
    while stream[used] >= 256 - 256 % m:
        used += 1
    return remaining.pop(stream[used] % m), stream[: used + 1]


def check_witnessed(file, house_key, device_key, *custodian_keys, beacon_key=None):
    """Works the numbers of a witnessed game out from what the house publishes of it."""
    shown = json.load(open(file))
    must(shown["device"] == "witnessed", "the game was drawn by %s and not by the links of custodians: check it with draw" % shown["device"])
    game = "%s/%d" % (shown["day"], shown["game"])
    seal = note(shown["seal"], house_key)
    said = {line[0]: line[1:] for line in fields_of(seal)[1]}
    must("%s/%s" % (said["day"][0], said["game"][0]) == game, "the seal is of another game")
    print("seal       of game %s, fingerprint %s" % (game, fingerprint(seal)))
    known = {key.split("+")[0]: key for key in custodian_keys}
    links = {}
    for c in shown["custodians"]:
        key = known.get(c["name"], c["key"])
        commitment = note(c["commitment"], key)
        must(fields_of(commitment)[1][0] == ["custodian", c["name"]], "the commitment is another custodian's")
        links[c["name"]] = base64.b64decode(c["link"])
        path = [base64.b64decode(h) for h in c.get("path") or []]
        value, tip = chain_tip(commitment, game, shown["draw"], links[c["name"]], path)
        must(value == tip, "the link of %s does not lead to what it committed to" % c["name"])
        print("custodian  %s, link leads to its commitment, key %s" % (c["name"], "as you gave it" if c["name"] in known else "BY THE HOUSE'S WORD"))
    said, beacon = shown.get("beacon"), None
    must(len(links) != 1 and (links or said) and set(known) <= set(links), "a custodian is missing")
    if said:
        beacon = bytes.fromhex(said["chain"]), said["round"], bytes.fromhex(said["signature"])
        must(len(beacon[2]) == 48, "the signature of the round has not 48 bytes")
        if beacon_key:
            check_round(bytes.fromhex(beacon_key), beacon[1], beacon[2])
        print("beacon     round %d, %s; that it is the round of the game is in the log" % (beacon[1], "signed by the key that you gave" if beacon_key else "SIGNATURE NOT CHECKED: no key given"))
    stream, remaining, numbers = witnessed_bytes(seal, shown["draw"], links, beacon), list(range(1, 81)), []
    for _ in range(20):
        number, used = pick(remaining, stream)
        stream = stream[len(used) :]
        numbers.append(number)
    must(numbers == shown["numbers"], "seal and links give %s" % numbers)
    signed = {line[0]: line[1:] for line in fields_of(note(shown["draw_note"], device_key))[1]}
    must([int(n) for n in signed["numbers"]] == numbers, "the device signed other numbers")
    must(base64.b64decode(signed["seal"][0]) == hashlib.sha256(seal.encode()).digest(), "the device drew under another seal")
    print("numbers    %s follow from seal and links or round, and the device signed them" % " ".join(map(str, numbers)))


def custody(export, game):
    """Returns links by draw and custodian, the commitments for the day before it opened, and the round of the game."""
    day = game.split("/")[0]
    links, commitments, keys, opened, beacons, rounds = {}, {}, {}, False, {}, {}
    for _, _, data in records(export):
        kind, _, _, _, body = record(data)
        name = KINDS.get(kind)
        if name == "device chosen":
            keys.update({who: key for who, key in body[2] or []})
        elif name == "day opened" and date(body[1]) == day:
            opened = True
        elif name in ("chain committed", "links committed") and date(body[1]) == day and not opened:
            commitments.setdefault(body[2], body[3].decode())
        elif name == "link released" and "%s/%d" % (date(body[0][1]), body[0][2]) == game:
            links.setdefault(body[1], {})[body[2]] = (body[3], [])
        elif name == "beacon chosen":
            kept = [b for b in beacons.get(body[0], []) if b[0] < date(body[1])]
            beacons[body[0]] = kept + [(date(body[1]), body[2], body[3], body[4], body[5])]
        elif name == "game opened" and "%s/%d" % (date(body[0][1]), body[0][2]) == game and len(body) > 6 and body[6]:
            of = [b for b in beacons[body[0][0]] if b[0] <= day][-1]
            must(round_after(of[3], of[4], body[2])[0] == body[6], "round %d is not that of the close of the game" % body[6])
            rounds = {"of": of, "number": body[6], "beacon": None}
        elif name == "round given" and "%s/%d" % (date(body[0][1]), body[0][2]) == game:
            must(rounds and rounds["number"] == body[1], "the game has another round than %d" % body[1])
            check_round(rounds["of"][2], body[1], body[2])
            rounds["beacon"] = rounds["of"][1], body[1], body[2]
        elif name == "link given" and "%s/%d" % (date(body[0][1]), body[0][2]) == game:
            links.setdefault(1, {})[body[1]] = (body[2], body[3] or [])
    return links, {who: note(signed, keys[who]) for who, signed in commitments.items()}, rounds


def check_links(game, draw, links, commitments):
    for who, (link, path) in links.items():
        must(who in commitments, "%s committed to nothing before the day" % who)
        value, tip = chain_tip(commitments[who], game, draw, link, path)
        must(value == tip, "the link of %s does not lead to what it committed to" % who)


def check_draw(export, game, house_key, device_key):
    draw, seal, result, stream = 0, None, None, None
    links, commitments, rounds = custody(export, game)
    begun = {volume: data for volume, seq, data in records(export) if seq == 0}
    notes = [beginning(data) for data in begun.values() if record(data)[4][8]]
    house_keys = vouched(house_key, notes)
    # The note of a volume names its device too, and is signed by a house key.
    devices = [device_key] + [n["device"] for n in notes if n["key"] in house_keys]
    for volume, seq, data in records(export):
        kind, _, _, _, body = record(data)
        name = KINDS.get(kind)
        if name not in ("game sealed", "number drawn", "game drawn", "result corrected") or "%s/%d" % (date(body[0][1]), body[0][2]) != game:
            continue
        if name == "game sealed":
            signer = record(begun[volume])[4][4]
            must(signer in house_keys, "the key that you gave did not sign for the one of the seal, %s" % signer)
            seal = note(body[1].decode(), signer)
            print("record %d:%d: sealed, fingerprint %s" % (volume, seq, fingerprint(seal)))
        elif name == "number drawn":
            must(seal, "record %d: a number before the seal" % seq)
            if body[1] > draw:  # The first draw, or one after a void one.
                draw, remaining, numbers, balls, result = body[1], list(range(1, 81)), [], 0, None
                stream = None
                must(not rounds or rounds["beacon"], "record %d: a number before round %d" % (seq, rounds.get("number", 0)))
                if draw in links or rounds:
                    given = links.get(draw, {})
                    check_links(game, draw, given, commitments)
                    stream = witnessed_bytes(seal, draw, {who: link for who, (link, _) in given.items()}, rounds.get("beacon"))
                    whose = ["the links of " + ", ".join(sorted(given))] if given else []
                    whose += ["round %d of the beacon" % rounds["number"]] if rounds else []
                    print("draw %d: the bytes are made from %s" % (draw, " and ".join(whose)))
            m = len(remaining)
            if not body[3]:  # A ball of a machine: the device must sign that it was one.
                must(stream is None and body[2] in remaining, "record %d: number %d cannot be a ball that was left" % (seq, body[2]))
                remaining.remove(body[2])
                numbers.append(body[2])
                balls += 1
                print("record %d:%d: ball %d, as people keyed it" % (volume, seq, body[2]))
                continue
            if stream is not None:
                must(stream[: len(body[3])] == body[3], "record %d: these are not the bytes that seal and links give" % seq)
                stream = stream[len(body[3]) :]
            *rejected, last = body[3]
            must(all(b >= 256 - 256 % m for b in rejected) and last < 256 - 256 % m, "record %d: the bytes are not one try that holds" % seq)
            number = remaining.pop(last % m)
            must(number == body[2], "record %d says %d, its bytes say %d" % (seq, body[2], number))
            numbers.append(number)
            print("record %d:%d: bytes %s of %d numbers left: %d" % (volume, seq, body[3].hex(" "), m, number))
        elif name == "result corrected":
            must(result and balls == 20, "record %d: it corrects what people did not key" % seq)
            right = list(body[2])
            must(len(set(right)) == 20 and set(right) <= set(range(1, 81)), "record %d: %s is no draw" % (seq, right))
            entered, count = (" ".join(map(str, n)) for n in (numbers, right))
            print("record %d:%d: CORRECTED by two persons, clause %s: %s" % (volume, seq, body[4] or "not named", body[3]))
            print("           entered, and signed by the device: %s\n           these count, in settlement %d: %s" % (entered, body[1], count))
        else:
            device = record(begun[volume])[4][5]
            must(device in devices, "the key that you gave is not the device's, %s" % device)
            result = note(body[2].decode(), device)
            form, lines = fields_of(result)
            said = {line[0]: line[1:] for line in lines}
            must(form == "drawhouse/draw/v1" and "%s/%s" % (said["day"][0], said["game"][0]) == game, "the device signed another game")
            must([int(n) for n in said["numbers"]] == numbers, "the device signed other numbers")
            must(balls == (20 if said["device"] == ["cage"] else 0), "numbers without bytes are balls, and the device signed for %s" % said["device"][0])
            must(base64.b64decode(said["seal"][0]) == hashlib.sha256(seal.encode()).digest(), "the device drew under another seal")
            print("record %d:%d: the device signed these numbers under that seal" % (volume, seq))
    must(result and len(numbers) == 20, "the game is not drawn in this export")


def check_prefix(export, checkpoint, house_key):
    origin, size, top = note(open(checkpoint, encoding="utf-8").read(), house_key).splitlines()
    leaves = [leaf(data) for volume, _, data in records(export) if origin.endswith("/v%d" % volume)]
    must(int(size) <= len(leaves), "the export has %d records of %s, and the checkpoint %s" % (len(leaves), origin, size))
    must(root(leaves[: int(size)]) == base64.b64decode(top), "the first %s records are not those of the checkpoint: history was changed" % size)
    print("the first %s of %d records are those of the checkpoint of %s" % (size, len(leaves), origin))


def list_records(export):
    for volume, seq, data in records(export):
        kind, version, time, postings, body = record(data)
        print("%d:%d" % (volume, seq), utc(time), KINDS.get(kind, "kind %d" % kind), postings, body if len(data) < 2000 else "...")


def main(args):
    commands = {"proof": (check_proof, 2, 3), "draw": (check_draw, 4, 4), "witnessed": (check_witnessed, 3, 13), "prefix": (check_prefix, 3, 3), "list": (list_records, 1, 1)}
    commands.update({"log": (check_log, 2, 2), "entry": (check_entry, 2, 2)})
    run, least, most = commands.get(args[0] if args else "", (None, 0, 0))
    takes = {"witnessed": ["--beacon-key"], "log": ["--witness", "--quorum", "--earlier"], "entry": ["--witness", "--quorum"], "proof": ["--witness", "--quorum", "--log-key", "--log-proof"]}
    plain, named, at = [], {}, 1
    while at < len(args):
        if args[at].startswith("--"):
            if args[at] not in takes.get(args[0], []) or at + 1 == len(args):
                sys.exit(__doc__)
            name, at = args[at][2:].replace("-", "_"), at + 1
            named.setdefault(name, []).append(args[at])
        else:
            plain.append(args[at])
        at += 1
    named = {name: values if name in ("witness", "earlier") else values[-1] for name, values in named.items()}
    if not run or not least <= len(plain) <= most:
        sys.exit(__doc__)
    try:
        run(*plain, **named)
    except Wrong as wrong:
        sys.exit("DOES NOT HOLD: %s" % wrong)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (OSError, ValueError) as unread:
        sys.exit("CANNOT BE READ: %s" % unread)
    except KeyError as missing:
        sys.exit("CANNOT BE READ: the file has no %s" % missing)
    if args[0] != "list":
        print("It holds.")


main(sys.argv[1:])
