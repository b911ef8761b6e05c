//! The names of the findings; what each means stands in the catalogue.

use cw_text::Code;
/// See its page.
pub const PK001: Code = Code("PK001");
/// See its page.
pub const PK002: Code = Code("PK002");
/// See its page.
pub const PK003: Code = Code("PK003");
/// See its page.
pub const PK004: Code = Code("PK004");
/// See its page.
pub const PK005: Code = Code("PK005");
/// See its page.
pub const PK006: Code = Code("PK006");
/// See its page.
pub const PK007: Code = Code("PK007");
/// See its page.
pub const PK008: Code = Code("PK008");
/// See its page.
pub const PK009: Code = Code("PK009");
/// See its page.
pub const PK010: Code = Code("PK010");
/// See its page.
pub const PK011: Code = Code("PK011");
/// See its page.
pub const PK012: Code = Code("PK012");
/// See its page.
pub const PK013: Code = Code("PK013");
/// See its page.
pub const PK014: Code = Code("PK014");
/// See its page.
pub const PK015: Code = Code("PK015");
/// See its page.
pub const PK020: Code = Code("PK020");
/// See its page.
pub const PK021: Code = Code("PK021");
/// See its page.
pub const PK022: Code = Code("PK022");
/// See its page.
pub const PK023: Code = Code("PK023");
/// See its page.
pub const PK024: Code = Code("PK024");
/// See its page.
pub const PK025: Code = Code("PK025");
/// See its page.
pub const PK026: Code = Code("PK026");
/// See its page.
pub const PK027: Code = Code("PK027");
/// See its page.
pub const PK028: Code = Code("PK028");
/// See its page.
pub const PK029: Code = Code("PK029");
/// See its page.
pub const PK030: Code = Code("PK030");
/// See its page.
pub const PK031: Code = Code("PK031");
/// See its page.
pub const PK032: Code = Code("PK032");
/// See its page.
pub const PK033: Code = Code("PK033");
/// See its page.
pub const PK034: Code = Code("PK034");
/// See its page.
pub const PK035: Code = Code("PK035");
/// See its page.
pub const PK036: Code = Code("PK036");
/// See its page.
pub const PK037: Code = Code("PK037");
/// See its page.
pub const PK038: Code = Code("PK038");
/// See its page.
pub const PK039: Code = Code("PK039");
/// See its page.
pub const PK040: Code = Code("PK040");
/// See its page.
pub const PK041: Code = Code("PK041");
/// See its page.
pub const PK042: Code = Code("PK042");
/// See its page.
pub const PK043: Code = Code("PK043");
/// See its page.
pub const PK050: Code = Code("PK050");
/// See its page.
pub const PK051: Code = Code("PK051");
/// See its page.
pub const PK052: Code = Code("PK052");
/// See its page.
pub const PK053: Code = Code("PK053");
/// See its page.
pub const PK054: Code = Code("PK054");
/// See its page.
pub const PK055: Code = Code("PK055");
/// See its page.
pub const PK056: Code = Code("PK056");
/// See its page.
pub const PK057: Code = Code("PK057");
/// See its page.
pub const PK058: Code = Code("PK058");
/// See its page.
pub const PK060: Code = Code("PK060");
/// See its page.
pub const PK061: Code = Code("PK061");
/// See its page.
pub const PK062: Code = Code("PK062");
/// See its page.
pub const PK063: Code = Code("PK063");
/// See its page.
pub const PK064: Code = Code("PK064");
/// See its page.
pub const PK065: Code = Code("PK065");
/// See its page.
pub const PK066: Code = Code("PK066");
/// See its page.
pub const PK070: Code = Code("PK070");
/// See its page.
pub const PK071: Code = Code("PK071");
/// See its page.
pub const PK072: Code = Code("PK072");
/// See its page.
pub const PK073: Code = Code("PK073");
/// See its page.
pub const PK074: Code = Code("PK074");
/// See its page.
pub const PK075: Code = Code("PK075");
/// See its page.
pub const PK076: Code = Code("PK076");
/// See its page.
pub const PK077: Code = Code("PK077");
/// See its page.
pub const PK078: Code = Code("PK078");
/// See its page.
pub const PK079: Code = Code("PK079");
/// See its page.
pub const PK080: Code = Code("PK080");
/// See its page.
pub const PK081: Code = Code("PK081");
/// See its page.
pub const PK082: Code = Code("PK082");
/// See its page.
pub const PK083: Code = Code("PK083");
/// See its page.
pub const PK084: Code = Code("PK084");
/// See its page.
pub const PK085: Code = Code("PK085");
/// See its page.
pub const PK086: Code = Code("PK086");
/// See its page.
pub const PK090: Code = Code("PK090");
/// See its page.
pub const PK091: Code = Code("PK091");
/// See its page.
pub const PK092: Code = Code("PK092");
/// See its page.
pub const PK093: Code = Code("PK093");
/// See its page.
pub const PK094: Code = Code("PK094");
/// See its page.
pub const PK095: Code = Code("PK095");
/// See its page.
pub const PK096: Code = Code("PK096");
/// See its page.
pub const PK100: Code = Code("PK100");
/// See its page.
pub const PK101: Code = Code("PK101");
/// See its page.
pub const PK102: Code = Code("PK102");
/// See its page.
pub const PK103: Code = Code("PK103");
/// See its page.
pub const PK110: Code = Code("PK110");
/// See its page.
pub const PK111: Code = Code("PK111");
/// See its page.
pub const PK112: Code = Code("PK112");
/// See its page.
pub const PK113: Code = Code("PK113");
/// See its page.
pub const PK114: Code = Code("PK114");
/// See its page.
pub const PK115: Code = Code("PK115");
/// See its page.
pub const PK116: Code = Code("PK116");
/// See its page.
pub const PK120: Code = Code("PK120");
/// See its page.
pub const PK121: Code = Code("PK121");
/// See its page.
pub const PK122: Code = Code("PK122");
/// See its page.
pub const PK123: Code = Code("PK123");
/// See its page.
pub const PK124: Code = Code("PK124");
/// See its page.
pub const PK125: Code = Code("PK125");
/// See its page.
pub const PK126: Code = Code("PK126");
/// See its page.
pub const PK127: Code = Code("PK127");
/// See its page.
pub const PK128: Code = Code("PK128");
/// See its page.
pub const PK130: Code = Code("PK130");
/// See its page.
pub const PK131: Code = Code("PK131");
/// See its page.
pub const PK132: Code = Code("PK132");
/// See its page.
pub const PK133: Code = Code("PK133");
/// See its page.
pub const PK134: Code = Code("PK134");
/// See its page.
pub const PK135: Code = Code("PK135");
/// See its page.
pub const PK136: Code = Code("PK136");
/// See its page.
pub const PK137: Code = Code("PK137");
/// See its page.
pub const PK138: Code = Code("PK138");
/// See its page.
pub const PK139: Code = Code("PK139");
/// See its page.
pub const PK140: Code = Code("PK140");
/// See its page.
pub const PK141: Code = Code("PK141");
/// See its page.
pub const PK142: Code = Code("PK142");
/// See its page.
pub const PK143: Code = Code("PK143");
/// See its page.
pub const PK144: Code = Code("PK144");
/// See its page.
pub const PK145: Code = Code("PK145");
/// See its page.
pub const PK146: Code = Code("PK146");
/// See its page.
pub const PK147: Code = Code("PK147");
/// See its page.
pub const PK148: Code = Code("PK148");
/// See its page.
pub const PK149: Code = Code("PK149");
/// See its page.
pub const PK150: Code = Code("PK150");
/// See its page.
pub const PK151: Code = Code("PK151");
/// See its page.
pub const PK152: Code = Code("PK152");
/// See its page.
pub const PK153: Code = Code("PK153");
/// See its page.
pub const PK154: Code = Code("PK154");
/// See its page.
pub const PK155: Code = Code("PK155");
/// See its page.
pub const PK156: Code = Code("PK156");
/// See its page.
pub const PK157: Code = Code("PK157");
/// See its page.
pub const PK158: Code = Code("PK158");
/// See its page.
pub const PK165: Code = Code("PK165");
/// See its page.
pub const PK166: Code = Code("PK166");
