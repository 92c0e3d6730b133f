"""Pages of the reference, made of Doxygen's XML: every documented name of clprim and clprim::op.

A page per part of the library. Names of the headers that programs include stand with all that is
said of them; those of the headers behind them are listed with a sentence each.
"""

import re
import xml.etree.ElementTree as ElementTree

# Title, folder, headers that programs have to do with.
PARTS = [
    ("Matrix products", "gemm", ("gemm", "gemm/options", "gemm/policy", "gemm/ladder")),
    ("Transposition", "transpose",
     ("transpose", "transpose/permute", "transpose/engine", "transpose/policy",
      "transpose/in_place_policy")),
    ("Copy and map", "copy", ("copy", "copy/engine", "copy/policy")),
    ("Reduction", "reduce",
     ("reduce", "reduce/options", "reduce/view", "reduce/operators", "reduce/sums",
      "reduce/searches", "reduce/contracts", "reduce/types", "reduce/policy")),
    ("Convolution", "convolve",
     ("convolve", "convolve/channels", "convolve/channels_view", "convolve/options",
      "convolve/filter", "convolve/image", "convolve/separate", "convolve/element",
      "convolve/policy", "convolve/channels_policy")),
    ("Fourier transforms", "fft",
     ("fft", "fft/problem", "fft/convolution", "fft/group_text", "fft/policy", "fft/plan/pass")),
    ("Devices, views, launches", "runtime",
     ("runtime/device", "runtime/handle", "runtime/view", "runtime/array", "runtime/wait_list",
      "runtime/argument", "runtime/operation", "runtime/profile", "runtime/pinned",
      "runtime/launch", "runtime/launch_advice", "runtime/program", "runtime/program_files",
      "runtime/resources", "runtime/tuning_file")),
    ("Tuning", "tuner", ("tuner",)),
    ("Policies, errors, occupancy", "core",
     ("core/error", "core/policy", "core/scalar", "core/element", "core/function",
      "core/math_mode", "core/border", "core/device_facts", "core/occupancy", "core/parallelism",
      "core/occupancy/device", "core/occupancy/plan", "core/occupancy/limits",
      "core/occupancy/nvidia", "core/occupancy/amd", "core/occupancy/intel",
      "core/occupancy/other")),
]
SPACES = ("clprim", "clprim::op")


def text(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def escaped(words):
    words = re.sub(r"([\\`*_|\[\]])", r"\\\1", words)
    return words.replace("<", "&lt;").replace(">", "&gt;")


def inline(node):
    """What a paragraph says, as Markdown; code within it becomes blocks of their own."""
    out = escaped(node.text or "")
    for child in node:
        if child.tag in ("verbatim", "programlisting"):
            code = "".join(child.itertext()) if child.tag == "verbatim" else "\n".join(
                "".join((" " if part.tag == "sp" else "") + (part.text or "") + (part.tail or "")
                        if part.tag == "sp" else "".join(spaced(part))
                        for part in line.iter() if part is line) or "".join(spaced(line))
                for line in child.findall("codeline"))
            out += "\n\n```cpp\n" + code.strip("\n") + "\n```\n\n"
        elif child.tag == "computeroutput":
            out += "`" + "".join(child.itertext()) + "`"
        elif child.tag in ("itemizedlist", "orderedlist"):
            items = (" ".join(inline(p) for p in item) for item in child)
            out += "\n\n" + "".join(f"- {item}\n" for item in items)
        elif child.tag == "para":
            out += inline(child) + "\n\n"
        elif child.tag in ("sp", "linebreak"):
            out += " "
        elif child.tag == "ndash":
            out += "–"
        elif child.tag in ("emphasis", "bold"):
            out += "*" + inline(child) + "*"
        else:
            out += inline(child)
        out += escaped(child.tail or "")
    return out


def spaced(node):
    """The text of a line of code, in which Doxygen marks spaces by elements."""
    if node.tag == "sp":
        yield " "
    yield node.text or ""
    for child in node:
        yield from spaced(child)
        yield child.tail or ""


def said(node):
    """All that the comment before a declaration says."""
    parts = [inline(node.find(which)) for which in ("briefdescription", "detaileddescription")
             if node.find(which) is not None]
    joined = "\n\n".join(p.strip() for p in parts if p.strip())
    return re.sub(r"\n{3,}", "\n\n", joined)


def template_of(node):
    params = node.find("templateparamlist")
    if params is None:
        return ""
    one = []
    for p in params:
        words = " ".join(filter(None, (text(p.find("type")), text(p.find("declname")))))
        default = text(p.find("defval"))
        one.append(words + (" = " + default if default else ""))
    return "template <" + ", ".join(one) + ">\n"


def tidy(code):
    code = re.sub(r"< ", "<", re.sub(r" >", ">", code))
    code = re.sub(r" ([&*])(?=\w|[,)])", r"\1 ", code)
    return re.sub(r"([&*]) ([,)])", r"\1\2", code).replace("clprim::", "").strip()


def wrapped(code):
    """A declaration within 90 columns: parameters under each other where they do not fit."""
    if max(map(len, code.split("\n"))) <= 90 or "(" not in code:
        return code
    head, _, rest = code.rpartition("\n")
    opening = rest.index("(", rest.find("operator()") + 10 if "operator()" in rest else 0)
    lines, depth, start = [], 0, opening + 1
    for at in range(opening, len(rest)):
        depth += {"(": 1, "<": 1, "{": 1, ")": -1, ">": -1, "}": -1}.get(rest[at], 0)
        if rest[at] == "," and depth == 1:
            lines.append(rest[start:at + 1].strip())
            start = at + 1
    lines.append(rest[start:].strip())
    return (head + "\n" if head else "") + rest[:opening + 1] + "\n    " + "\n    ".join(lines)


def declaration(member):
    kind = member.get("kind")
    if kind == "function":
        args = member.find("argsstring").text or ""
        return wrapped(template_of(member) + tidy(
            text(member.find("type")) + " " + member.find("name").text + args))
    if kind == "variable":
        value = text(member.find("initializer"))
        value = " " + value if value and len(value) < 60 else ""
        return tidy(text(member.find("type")) + " " + member.find("name").text + value)
    if kind == "typedef":
        return template_of(member) + re.sub(r"\busing (?:[\w<>, ]+::)+", "using ",
                                            tidy(text(member.find("definition"))))
    return tidy(text(member.find("definition")) or member.find("name").text)


def enumerators(member):
    rows = ["| value | |", "|---|---|"]
    for value in member.findall("enumvalue"):
        about = said(value).replace("\n", " ")
        rows.append(f"| `{value.find('name').text}` | {about} |")
    return "\n".join(rows)


class Reference:
    def __init__(self, folder):
        self.folder = folder
        index = ElementTree.parse(folder / "index.xml").getroot()
        self.compounds = {}
        for entry in index:
            if entry.get("kind") in ("class", "struct", "namespace", "concept"):
                self.compounds[entry.find("name").text] = entry.get("refid")
        self.undocumented = []

    def compound(self, name):
        refid = self.compounds.get(re.sub(r"\s*<.*", "", name))
        return ElementTree.parse(self.folder / f"{refid}.xml").getroot()[0] if refid else None

    def names(self):
        """(header, name, node) of all that a program can name."""
        for name in self.compounds:
            space, _, last = name.rpartition("::")
            if space in SPACES and "<" not in name and name not in SPACES:
                node = self.compound(name)
                if node.get("kind") != "namespace" and node.get("prot") != "private":
                    yield header_of(node), name, node
        for space in SPACES:
            for member in self.compound(space).iter("memberdef"):
                if member.get("kind") != "friend" and member.find("name").text:
                    yield header_of(member), space + "::" + member.find("name").text, member

    def members(self, node):
        """Public members of a class and of its bases."""
        for section in node.findall("sectiondef"):
            if section.get("kind", "").startswith("public"):
                yield from section.findall("memberdef")
        for base in node.findall("basecompoundref"):
            inherited = self.compound(base.text)
            if inherited is not None and base.get("prot") == "public":
                own = text(inherited.find("compoundname")).rpartition("::")[2]
                yield from (m for m in self.members(inherited) if text(m.find("name")) != own)

    def of_class(self, name, node):
        what = {"concept": "concept", "struct": "struct"}.get(node.get("kind"), "class")
        lines = [f"```cpp\n{template_of(node)}{what} {name.rpartition('::')[2]};\n```", said(node)]
        plain, functions, seen = [], [], set()
        for member in self.members(node):
            code = declaration(member)
            if code in seen or member.find("name").text.startswith("~"):
                continue
            seen.add(code)
            about = said(member)
            if member.get("kind") in ("variable", "typedef"):
                plain.append(f"| `{code.replace('|', chr(92) + '|')}` | "
                             f"{about.replace(chr(10), ' ')} |")
            elif member.get("kind") == "function" and "= delete" not in code:
                functions.append(f"```cpp\n{code}\n```\n\n{about}")
        if plain:
            lines.append("\n".join(["| member | |", "|---|---|", *plain]))
        return "\n\n".join([*lines, *functions])

    def of_member(self, member):
        if member.get("kind") == "enum":
            name = member.find("name").text
            return f"```cpp\nenum class {name};\n```\n\n{said(member)}\n\n{enumerators(member)}"
        return f"```cpp\n{declaration(member)}\n```\n\n{said(member)}"

    def page(self, title, part, headers, everything):
        shown, behind = {}, {}
        for header, name, node in everything:
            if header.split("/")[0] != part and header != part:
                continue
            plain = name.removeprefix("clprim::")
            if not said(node):
                overload = any(n == name and said(other) for _, n, other in everything)
                if header in headers and not overload:
                    self.undocumented.append(f"{header}.hpp: {plain}")
                if not overload:
                    continue
            into = shown if header in headers else behind
            into.setdefault((headers.index(header) if header in headers else 0, header, plain),
                            []).append(node)
        out = [f"# {title}\n"]
        last = None
        for (_, header, name), nodes in sorted(shown.items(), key=lambda e: (e[0][0], e[0][2])):
            if header != last:
                out.append(f"## &lt;clprim/{header}.hpp&gt;\n")
                last = header
            out.append(f"### {escaped(name)}\n")
            for node in nodes:
                body = (self.of_class(name, node) if node.tag == "compounddef"
                        else self.of_member(node))
                out.append(body + "\n")
        if behind:
            out += ["## Behind these\n", "| name | | header |", "|---|---|---|"]
            for (_, header, name), nodes in sorted(behind.items(), key=lambda e: e[0][2]):
                about = next((inline(n.find("briefdescription")).strip().replace("\n", " ")
                              for n in nodes if text(n.find("briefdescription"))), "")
                out.append(f"| `{name}` | {about} | {header}.hpp |")
        return "\n".join(out) + "\n"


def header_of(node):
    return node.find("location").get("file").removeprefix("clprim/").removesuffix(".hpp")


def write_reference(xml, folder):
    """Writes the pages; returns their titles and names, and what no comment explains."""
    reference = Reference(xml)
    everything = list(reference.names())
    pages = []
    for title, part, headers in PARTS:
        (folder / f"{part}.md").write_text(reference.page(title, part, headers, everything),
                                           encoding="utf-8")
        pages.append((title, part))
    return pages, reference.undocumented
