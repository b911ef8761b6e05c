//! How a game numbers its names and objects.

/// A host object: whatever the host means by it. Copied freely, equal when the number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostObject(pub u64);

/// A name the dialect resolved to the host, as the dialect numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostNameId(pub u16);

/// An attribute the dialect knows, as the dialect numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeId(pub u16);

/// A function of the host, as the dialect numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u16);
