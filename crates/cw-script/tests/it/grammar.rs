//! Programs made at random by a grammar of statements; the same number gives the same program everywhere.

/// A small generator of numbers.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// The program with this number.
pub(crate) fn program(number: u64) -> String {
    let mut seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
    seed ^= seed >> 29;
    let mut p = ProgramText {
        chance: Chance(seed | 1),
        out: String::new(),
        functions: Vec::new(),
        classes: 0,
        loops: 0,
    };
    p.whole();
    p.out
}

struct ProgramText {
    chance: Chance,
    out: String,
    /// How many arguments each takes at least.
    functions: Vec<usize>,
    classes: usize,
    loops: usize,
}

/// Where statements stand.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    in_loop: bool,
    in_function: bool,
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "n", "s"];

impl ProgramText {
    fn line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn whole(&mut self) {
        self.line(
            0,
            "a, b, c, d, n, s = [3, 1, 2], {'x': 1, 2: 'y'}, (1, 'q', 2.5), set([1, 5]), 7, 'text'",
        );
        let parts = 3 + self.chance.below(5);
        for _ in 0..parts {
            match self.chance.below(6) {
                0 | 1 => self.function(),
                2 => self.class(),
                _ => self.guarded(),
            }
        }
        // What is left unguarded shows where a program ends.
        let place = Place {
            depth: 0,
            in_loop: false,
            in_function: false,
        };
        for _ in 0..2 {
            self.statement(place, 1);
        }
    }

    fn guarded(&mut self) {
        self.line(0, "try:");
        let place = Place {
            depth: 1,
            in_loop: false,
            in_function: false,
        };
        self.block(place, 3);
        let kind = self.chance.one(&[
            "Exception",
            "StandardError",
            "(TypeError, ValueError, LookupError)",
        ]);
        self.line(0, &format!("except {kind} as e:"));
        self.line(1, "print type(e).__name__, e");
        if self.chance.below(3) == 0 {
            self.line(0, "else:");
            self.line(1, "print 'fine'");
        }
        if self.chance.below(4) == 0 {
            self.line(0, "finally:");
            self.line(1, "print 'after', n");
        }
    }

    fn function(&mut self) {
        let name = self.functions.len();
        let least = self.chance.below(3);
        let mut params: Vec<String> = ["x", "y"][..least].iter().map(|p| (*p).to_owned()).collect();
        if self.chance.below(2) == 0 {
            let default = self.atom();
            params.push(format!("z={default}"));
        }
        if self.chance.below(4) == 0 {
            params.push("*rest".to_owned());
        }
        if self.chance.below(5) == 0 {
            params.push("**named".to_owned());
        }
        self.line(0, &format!("def f{name}({}):", params.join(", ")));
        if self.chance.below(3) == 0 {
            let global = self.chance.one(&NAMES);
            self.line(1, &format!("global {global}"));
        }
        let place = Place {
            depth: 1,
            in_loop: false,
            in_function: true,
        };
        if self.chance.below(5) == 0 {
            let items = self.expr(1);
            self.line(1, &format!("for item in [{items}, 2]:"));
            self.line(2, "yield item");
        } else {
            self.block(place, 3);
            let value = self.expr(2);
            self.line(1, &format!("return {value}"));
        }
        self.functions.push(least);
    }

    fn class(&mut self) {
        let name = self.classes;
        let base = if name > 0 && self.chance.below(2) == 0 {
            format!("C{}", self.chance.below(name))
        } else {
            self.chance.one(&["object", "object", "Exception"]).to_owned()
        };
        self.line(0, &format!("class C{name}({base}):"));
        let value = self.atom();
        self.line(1, &format!("kind = {value}"));
        self.line(1, "def __init__(self, v=1):");
        self.line(2, "self.v = v");
        let methods = [
            ("__len__(self)", "3"),
            ("__getitem__(self, i)", "[5, 6, 7][i]"),
            ("__eq__(self, o)", "isinstance(o, C0) and self.v == o.v"),
            ("__hash__(self)", "hash(self.v)"),
            ("__add__(self, o)", "(self.v, o)"),
            ("__contains__(self, x)", "x == self.v"),
            ("__call__(self, x)", "[self.v, x]"),
            ("__str__(self)", "'<%s>' % (self.v,)"),
            ("__nonzero__(self)", "bool(self.v)"),
            ("__cmp__(self, o)", "cmp(self.v, o)"),
        ];
        for (head, value) in methods {
            if self.chance.below(4) == 0 {
                self.line(1, &format!("def {head}:"));
                self.line(2, &format!("return {value}"));
            }
        }
        self.line(1, "def __repr__(self):");
        self.line(2, &format!("return 'C{name}(%r)' % (self.v,)"));
        self.line(1, "def m(self, x=2):");
        let value = self.expr(1);
        self.line(2, &format!("return ({value}, x, self.kind)"));
        self.classes += 1;
    }

    fn block(&mut self, place: Place, most: usize) {
        let count = 1 + self.chance.below(most);
        for _ in 0..count {
            self.statement(place, 2);
        }
    }

    fn statement(&mut self, place: Place, size: usize) {
        let depth = place.depth;
        let inner = Place {
            depth: depth + 1,
            ..place
        };
        let deep = depth >= 4;
        match self.chance.below(if deep { 12 } else { 21 }) {
            0 | 1 => {
                let (name, value) = (self.chance.one(&NAMES), self.expr(size));
                self.line(depth, &format!("{name} = {value}"));
            }
            2 => {
                let op = self
                    .chance
                    .one(&["+=", "-=", "*=", "|=", "&=", "^=", "/=", "%=", "//="]);
                let (name, value) = (self.target(), self.expr(1));
                self.line(depth, &format!("{name} {op} {value}"));
            }
            3..=5 => {
                let (first, second) = (self.expr(size), self.expr(1));
                let end = self.chance.one(&["", "", ","]);
                self.line(depth, &format!("print {first}, {second}{end}"));
            }
            6 => {
                let value = self.expr(size);
                let targets = self.chance.one(&["n, s", "(a, n)", "[c, (n, s)]", "a = n"]);
                self.line(depth, &format!("{targets} = {value}"));
            }
            7 => {
                let (target, value) = (self.target(), self.expr(size));
                self.line(depth, &format!("{target} = {value}"));
            }
            8 => {
                let target = self.chance.one(&["a[0]", "b['x']", "a[1:2]", "b[n]", "a[-1]"]);
                self.line(depth, &format!("del {target}"));
            }
            9 | 10 => {
                let call = self.method_call();
                self.line(depth, &call);
            }
            11 if place.in_loop => {
                let word = self.chance.one(&["break", "continue"]);
                self.line(depth, word);
            }
            11 if place.in_function => {
                let value = self.expr(1);
                self.line(depth, &format!("return {value}"));
            }
            11 => self.line(depth, "pass"),
            12 | 13 => {
                let test = self.expr(size);
                self.line(depth, &format!("if {test}:"));
                self.block(inner, 2);
                if self.chance.below(2) == 0 {
                    let test = self.expr(1);
                    self.line(depth, &format!("elif {test}:"));
                    self.block(inner, 2);
                }
                if self.chance.below(2) == 0 {
                    self.line(depth, "else:");
                    self.block(inner, 2);
                }
            }
            14 | 15 => {
                let source = self.chance.one(&[
                    "range(3)",
                    "list(a)[:3]",
                    "sorted(b.keys())[:3]",
                    "enumerate('xy')",
                    "[(1, 2), (3, 4)]",
                    "s[:3]",
                    "xrange(4, 0, -2)",
                    "(x * 2 for x in [1, 2])",
                ]);
                let target = self.chance.one(&["i", "n", "i, j", "a[0]"]);
                self.line(depth, &format!("for {target} in {source}:"));
                let inner = Place {
                    in_loop: true,
                    ..inner
                };
                self.block(inner, 3);
                if self.chance.below(4) == 0 {
                    self.line(depth, "else:");
                    self.block(
                        Place {
                            in_loop: place.in_loop,
                            ..inner
                        },
                        1,
                    );
                }
            }
            16 => {
                // The counter is the loop's own, so that every loop ends.
                let counter = format!("w{}", self.loops);
                self.loops += 1;
                self.line(depth, &format!("{counter} = 0"));
                let most = 1 + self.chance.below(4);
                self.line(depth, &format!("while {counter} < {most}:"));
                self.line(depth + 1, &format!("{counter} += 1"));
                let inner = Place {
                    in_loop: true,
                    ..inner
                };
                self.block(inner, 2);
            }
            17 => {
                self.line(depth, "try:");
                self.block(inner, 2);
                let handler = self.chance.one(&[
                    "except:",
                    "except TypeError:",
                    "except (KeyError, IndexError), err:",
                    "except Exception as err:",
                    "except AttributeError:",
                ]);
                self.line(depth, handler);
                self.block(inner, 2);
                if self.chance.below(6) == 0 {
                    self.line(depth + 1, "raise");
                }
                if self.chance.below(3) == 0 {
                    self.line(depth, "finally:");
                    // `continue` may not stand there.
                    let inner = Place {
                        in_loop: false,
                        in_function: false,
                        ..inner
                    };
                    self.block(inner, 1);
                }
            }
            18 => {
                let words = self.atom();
                let kind = self
                    .chance
                    .one(&["ValueError", "KeyError", "IndexError", "RuntimeError"]);
                let test = self.expr(1);
                self.line(depth, &format!("if {test}: raise {kind}({words})"));
            }
            19 => {
                let (test, words) = (self.expr(1), self.atom());
                self.line(depth, &format!("assert {test}, {words}"));
            }
            _ => {
                let (name, value) = (self.chance.one(&NAMES), self.expr(2));
                self.line(depth, &format!("{name} = lambda x=1, *y: {value}"));
                self.line(depth, &format!("print {name}(2)"));
            }
        }
    }

    fn target(&mut self) -> String {
        let index = self.chance.one(&["0", "-1", "n", "'x'", "2"]);
        match self.chance.below(5) {
            0 => format!("a[{index}]"),
            1 => format!("b[{index}]"),
            2 => "a[1:2]".to_owned(),
            _ => self.chance.one(&NAMES).to_owned(),
        }
    }

    fn method_call(&mut self) -> String {
        let (x, y) = (self.atom(), self.atom());
        match self.chance.below(14) {
            0 => format!("a.append({x})"),
            1 => format!("a.extend([{x}, {y}])"),
            2 => format!("a.insert(n, {x})"),
            3 => "a.sort()".to_owned(),
            4 => "a.reverse()".to_owned(),
            5 => format!("a.remove({x})"),
            6 => format!("b.update({{{x}: {y}}})"),
            7 => format!("print b.pop({x}, {y})"),
            8 => format!("print b.setdefault({x}, {y})"),
            9 => format!("d.add({x})"),
            10 => format!("d.discard({x})"),
            11 => "print a.pop()".to_owned(),
            12 => format!("print a.index({x}), a.count({y})"),
            _ => format!("d.update([{x}, {y}])"),
        }
    }

    fn atom(&mut self) -> String {
        match self.chance.below(12) {
            0..=3 => self.chance.one(&NAMES).to_owned(),
            4 | 5 => self.chance.one(&["0", "1", "2", "-3", "10", "7L"]).to_owned(),
            6 | 7 => self
                .chance
                .one(&["'x'", "'text'", "''", "'a b c'", "'12'"])
                .to_owned(),
            8 => self.chance.one(&["None", "True", "False"]).to_owned(),
            9 => self.chance.one(&["1.5", "-0.5", "2.0"]).to_owned(),
            10 => self
                .chance
                .one(&["[]", "{}", "()", "[1, 2]", "(0, 'z')"])
                .to_owned(),
            _ if self.classes > 0 => {
                format!("C{}({})", self.chance.below(self.classes), self.chance.below(4))
            }
            _ => "5".to_owned(),
        }
    }

    fn expr(&mut self, size: usize) -> String {
        if size == 0 {
            return self.atom();
        }
        let size = size - 1;
        let (x, y) = (self.expr(size), self.expr(size));
        match self.chance.below(30) {
            0..=2 => {
                let op = self.chance.one(&["+", "-", "*", "/", "//", "%", "&", "|", "^"]);
                format!("({x} {op} {y})")
            }
            3 | 4 => {
                let op = self
                    .chance
                    .one(&["<", "<=", "==", "!=", ">", "in", "not in", "is not"]);
                format!("({x} {op} {y})")
            }
            5 => format!("({x} < {y} <= n)"),
            6 => format!("({x} and {y})"),
            7 => format!("({x} or {y})"),
            8 => format!("(not {x})"),
            9 => format!("({x} if {y} else n)"),
            10 => format!("[{x}, {y}]"),
            11 => format!("({x}, {y})"),
            12 => format!("{{{x}: {y}}}"),
            13 => format!("a[{x}]"),
            14 => format!("s[{x}:]"),
            15 => format!("[i for i in {x}]"),
            16 => format!("[(i, {y}) for i in range(3) if i != {x}]"),
            17 => format!("sorted({x})"),
            18 => format!("len({x})"),
            19 => {
                let function = self.chance.one(&[
                    "str", "repr", "list", "tuple", "int", "bool", "sum", "max", "type",
                ]);
                format!("{function}({x})")
            }
            20 => {
                let method = self.chance.one(&[
                    "upper()",
                    "split()",
                    "replace('t', 'T')",
                    "find('x')",
                    "strip('t')",
                    "join(['p', 'q'])",
                ]);
                format!("s.{method}")
            }
            21 => format!("b.get({x}, {y})"),
            22 => format!("'%s|%r' % ({x}, {y})"),
            23 => format!("'{{}}-{{!r:>5}}'.format({x}, {y})"),
            24 => format!("map(lambda q: (q, {y}), [{x}])"),
            25 => format!("filter(None, [{x}, {y}])"),
            26 => format!("dict((k, {x}) for k in 'pq')"),
            27 if !self.functions.is_empty() => {
                let at = self.chance.below(self.functions.len());
                let args = match (self.functions[at], self.chance.below(4)) {
                    (_, 0) => x,
                    (0, _) => String::new(),
                    (1, 1) => format!("x={x}"),
                    (1, _) => x,
                    (_, 1) => format!("*[{x}, {y}]"),
                    (_, _) => format!("{x}, {y}"),
                };
                format!("f{at}({args})")
            }
            28 if self.classes > 0 => {
                let at = self.chance.below(self.classes);
                let part = self.chance.one(&["v", "m()", "kind", "m(3)", "nothing"]);
                format!("C{at}({x}).{part}")
            }
            29 => format!("isinstance({x}, (int, str))"),
            _ => format!("zip({x}, {y})"),
        }
    }
}
