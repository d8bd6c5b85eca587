"""Writes cosignature.txt: vectors of C2SP cosignatures, by a program that shares nothing with the one under test."""

import base64
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2
    return ((x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P)


def times(n, point):
    result = (0, 1)
    while n:
        if n & 1:
            result = add(result, point)
        point = add(point, point)
        n >>= 1
    return result


def base():
    y = 4 * pow(5, -1, P) % P
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (P - x if x & 1 else x, y)


def encode(point):
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def number(data):
    return int.from_bytes(data, "little")


def sign(seed, message):
    h = hashlib.sha512(seed).digest()
    secret = number(h[:32]) & (1 << 254) - 8 | 1 << 254
    public = encode(times(secret, base()))
    r = number(hashlib.sha512(h[32:] + message).digest()) % ORDER
    point = encode(times(r, base()))
    k = number(hashlib.sha512(point + public + message).digest()) % ORDER
    return public, point + ((r + k * secret) % ORDER).to_bytes(32, "little")


def b64(data):
    return base64.b64encode(data).decode()


def main():
    with open("cosignature.txt", "w") as out:
        out.write("# Cosignatures, written by cosignature.py: name, seed in hexadecimal, time, origin, size, root, key, line.\n")
        for i, (name, time, origin, size) in enumerate([
            ("witness.example/w1", 1679315147, "example.com/behind-the-sofa", 20852163),
            ("inspector.example", 0, "keno.example/v1", 1),
            ("inspector.example", 1794711600, "keno.example/v2", 2**62),
        ]):
            seed = hashlib.sha256(b"cosignature %d" % i).digest()
            root = b64(hashlib.sha256(b"root %d" % i).digest())
            text = f"{origin}\n{size}\n{root}\n"
            public, signature = sign(seed, f"cosignature/v1\ntime {time}\n{text}".encode())
            key = b"\x04" + public
            ident = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
            line = f"— {name} {b64(ident + time.to_bytes(8, 'big') + signature)}"
            out.write(f"\nname {name}\nseed {seed.hex()}\ntime {time}\norigin {origin}\nsize {size}\nroot {root}\n")
            out.write(f"key {name}+{ident.hex()}+{b64(key)}\nline {line}\n")


main()
