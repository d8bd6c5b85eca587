#!/usr/bin/env python3
"""Follows the move of five packages to counter in documents and lists. Run in the checkout, after countermove."""
import re, sys, os, glob, subprocess
here = os.path.dirname(os.path.abspath(__file__))
names = {}
for line in open(os.path.join(here, "names.out")):
    a, b = line.split()
    names[a] = b
OLD = "sale session payout voucher claim".split()
warned = []

def read(f): return open(f, encoding="utf-8").read()
def write(f, s): open(f, "w", encoding="utf-8").write(s)

def sub(f, old, new, count=1):
    """An exact replacement; a warning if the text is not there."""
    try: s = read(f)
    except FileNotFoundError: warned.append(f"no file {f}"); return
    if old not in s: warned.append(f"{f}: not found: {old[:90]!r}"); return
    write(f, s.replace(old, new))

# 1. Qualified names in documents: `payout.Route` -> `counter.Route`.
qualified = re.compile(r"\b(sale|session|payout|voucher|claim)\.([A-Za-z]\w*)")
def qname(m):
    to = names.get(m.group(0))
    return "counter." + to if to else m.group(0)
docs = [f for f in subprocess.check_output(["git", "ls-files", "*.md"], text=True).split("\n") if f]
for f in docs:
    s = read(f); t = qualified.sub(qname, s)
    if t != s: write(f, t)

# 2. Names of tests without their package, where the name has changed.
tests = {a.split(".")[1]: b for a, b in names.items() if a.split(".")[1].startswith("Test") and a.split(".")[1] != b}
for f in docs:
    s = t = read(f)
    for a, b in tests.items():
        t = re.sub(r"(?<![\w.])%s\b" % a, b, t)
    if t != s: write(f, t)

# 3. Lists of packages in brackets in the change log: (`payout`, `voucher`, `claim`) -> (`counter`).
def bracket(m):
    out, seen = "", False
    for gap, word in re.findall(r"(,?\s*)`([^`]+)`", m.group(1)):
        if word in OLD:
            if seen: continue
            seen, word = True, "counter"
        out += (gap if out else gap.lstrip(", ")) + f"`{word}`"
    return "(" + out + ")"
s = read("CHANGELOG.md")
write("CHANGELOG.md", re.sub(r"\(((?:`[^`]+`)(?:,\s*`[^`]+`)*)\)", lambda m: bracket(m) if any(f"`{o}`" in m.group(1) for o in OLD) else m.group(0), s))

# 4. The lists of the repository's own tests.
s = read("deps_test.go")
def layer(line):
    words = line.split()
    return "\t" + "  ".join(w for w in words if w not in OLD)
lines, out = s.split("\n"), []
in_layers = False
for l in lines:
    if l.startswith("const layers"): in_layers = True
    elif in_layers and l.startswith("`"): in_layers = False
    if in_layers and not l.strip().startswith("#") and any(w in OLD for w in l.split()):
        l = layer(l)
        if not l.strip():
            l = "\tcounter"
            for i in range(len(out) - 1, -1, -1):
                if out[i].strip().startswith("#"):
                    out[i] = "\t# What happens between a customer and the house, over the decisions that it joins."
                    break
    out.append(l)
s = "\n".join(out)
m = re.search(r"var pure = strings.Fields\(`(.*?)`\)", s, re.S)
body = []
for l in m.group(1).split("\n"):
    w = l.split()
    if any(x in OLD for x in w):
        w = ["counter"] + [x for x in w if x not in OLD] if "counter" not in " ".join(body).split() else [x for x in w if x not in OLD]
        l = "\t" + " ".join(w)
    body.append(l)
s = s[:m.start(1)] + "\n".join(body) + s[m.end(1):]
def never(m):
    w = re.findall(r'"([^"]+)"', m.group(2)); o = []
    for x in w:
        x = "counter" if x in OLD else x
        if x not in o: o.append(x)
    return m.group(1) + ", ".join(f'"{x}"' for x in o) + "}"
s = re.sub(r"((?:never|reach):\s*\[\]string\{)([^}]*)\}", never, s)
write("deps_test.go", s)

s = read("parts.go")
def embed(m):
    o = []
    for w in m.group(1).split():
        if w.split("/")[0] in OLD: w = "counter/*.go"
        if w not in o: o.append(w)
    return "//go:embed " + " ".join(o)
write("parts.go", re.sub(r"//go:embed (.*)", embed, s))

for f in glob.glob("rules/*/clauses.yaml"):
    s = read(f); t = re.sub(r"(?m)^(\s+in: )(sale|session|payout|voucher|claim)$", r"\1counter", s)
    if t != s: write(f, t)

# Files in documents.
moved = dict(l.split() for l in open(os.path.join(here, "files.out")))
for f in docs:
    s = read(f); t = re.sub(r"\b(sale|session|payout|voucher|claim)/\w+\.go\b", lambda m: moved.get(m.group(0), m.group(0)), s)
    if t != s: write(f, t)
if os.path.exists("internal/unguard/unguard_test.go"):
    s = read("internal/unguard/unguard_test.go")
    write("internal/unguard/unguard_test.go", re.sub(r'own\("(sale|session|payout|voucher|claim)"\)', 'own("counter")', s))

# 5. Single sentences.
sub("engine/engine.go", "(in packages sale, payout and game)", "(in packages counter and game)")
sub("state/doc.go", "in packages sale, payout and game;", "in packages counter and game;")
exec(open(os.path.join(here, "sentences.py")).read())

# 6. Generated documents name functions.
for w in warned: print("by hand:", w)
