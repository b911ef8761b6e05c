//! Python's built-in functions by name, and how they count their arguments.

/// How a method counts its arguments, and in which words it complains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arity {
    /// "takes no arguments"
    None,
    /// "takes exactly one argument"
    One,
    /// "takes at least 1 argument": as `PyArg_ParseTuple` says it.
    Parse(u8, u8),
    /// "expected at least 1 arguments": as `PyArg_UnpackTuple` says it.
    Unpack(u8, u8),
    /// Checks by itself.
    Any,
}

macro_rules! builtins {
    ($($variant:ident $name:literal $arity:expr;)*) => {
        /// A built-in function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names are Python's")]
        pub enum Builtin { $($variant),* }

        impl Builtin {
            /// All of them.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$variant),*];

            /// The name, as `len`.
            pub fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name),* }
            }

            pub(crate) fn arity(self) -> Arity {
                match self { $(Builtin::$variant => $arity),* }
            }
        }
    };
}

builtins! {
    Abs "abs" Arity::One;
    All "all" Arity::One;
    Any "any" Arity::One;
    Apply "apply" Arity::Unpack(1, 3);
    Bin "bin" Arity::One;
    Callable "callable" Arity::One;
    Chr "chr" Arity::Parse(1, 1);
    Cmp "cmp" Arity::Unpack(2, 2);
    Coerce "coerce" Arity::Unpack(2, 2);
    Divmod "divmod" Arity::Unpack(2, 2);
    Filter "filter" Arity::Unpack(2, 2);
    Format "format" Arity::Parse(1, 2);
    Getattr "getattr" Arity::Unpack(2, 3);
    Hasattr "hasattr" Arity::Unpack(2, 2);
    Hash "hash" Arity::One;
    Hex "hex" Arity::One;
    Id "id" Arity::One;
    Intern "intern" Arity::Parse(1, 1);
    Isinstance "isinstance" Arity::Unpack(2, 2);
    Issubclass "issubclass" Arity::Unpack(2, 2);
    Iter "iter" Arity::Unpack(1, 2);
    Len "len" Arity::One;
    Map "map" Arity::Any;
    Max "max" Arity::Any;
    Min "min" Arity::Any;
    Next "next" Arity::Unpack(1, 2);
    Oct "oct" Arity::One;
    Ord "ord" Arity::One;
    Pow "pow" Arity::Unpack(2, 3);
    Range "range" Arity::Unpack(1, 3);
    Reduce "reduce" Arity::Unpack(2, 3);
    Repr "repr" Arity::One;
    Round "round" Arity::Any;
    Sorted "sorted" Arity::Any;
    Sum "sum" Arity::Unpack(1, 2);
    Unichr "unichr" Arity::Parse(1, 1);
    Zip "zip" Arity::Any;
}
