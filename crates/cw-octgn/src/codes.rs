//! The names of the findings; what each means stands in the catalogue.

use cw_text::FindingCode;
/// See its page.
pub const PK001: FindingCode = FindingCode("PK001");
/// See its page.
pub const PK002: FindingCode = FindingCode("PK002");
/// See its page.
pub const PK003: FindingCode = FindingCode("PK003");
/// See its page.
pub const PK004: FindingCode = FindingCode("PK004");
/// See its page.
pub const PK005: FindingCode = FindingCode("PK005");
/// See its page.
pub const PK006: FindingCode = FindingCode("PK006");
/// See its page.
pub const PK007: FindingCode = FindingCode("PK007");
/// See its page.
pub const PK008: FindingCode = FindingCode("PK008");
/// See its page.
pub const PK009: FindingCode = FindingCode("PK009");
/// See its page.
pub const PK010: FindingCode = FindingCode("PK010");
/// See its page.
pub const PK011: FindingCode = FindingCode("PK011");
/// See its page.
pub const PK012: FindingCode = FindingCode("PK012");
/// See its page.
pub const PK013: FindingCode = FindingCode("PK013");
/// See its page.
pub const PK014: FindingCode = FindingCode("PK014");
/// See its page.
pub const PK015: FindingCode = FindingCode("PK015");
/// See its page.
pub const PK020: FindingCode = FindingCode("PK020");
/// See its page.
pub const PK021: FindingCode = FindingCode("PK021");
/// See its page.
pub const PK022: FindingCode = FindingCode("PK022");
/// See its page.
pub const PK023: FindingCode = FindingCode("PK023");
/// See its page.
pub const PK024: FindingCode = FindingCode("PK024");
/// See its page.
pub const PK025: FindingCode = FindingCode("PK025");
/// See its page.
pub const PK026: FindingCode = FindingCode("PK026");
/// See its page.
pub const PK027: FindingCode = FindingCode("PK027");
/// See its page.
pub const PK028: FindingCode = FindingCode("PK028");
/// See its page.
pub const PK029: FindingCode = FindingCode("PK029");
/// See its page.
pub const PK030: FindingCode = FindingCode("PK030");
/// See its page.
pub const PK031: FindingCode = FindingCode("PK031");
/// See its page.
pub const PK032: FindingCode = FindingCode("PK032");
/// See its page.
pub const PK033: FindingCode = FindingCode("PK033");
/// See its page.
pub const PK034: FindingCode = FindingCode("PK034");
/// See its page.
pub const PK035: FindingCode = FindingCode("PK035");
/// See its page.
pub const PK036: FindingCode = FindingCode("PK036");
/// See its page.
pub const PK037: FindingCode = FindingCode("PK037");
/// See its page.
pub const PK038: FindingCode = FindingCode("PK038");
/// See its page.
pub const PK039: FindingCode = FindingCode("PK039");
/// See its page.
pub const PK040: FindingCode = FindingCode("PK040");
/// See its page.
pub const PK041: FindingCode = FindingCode("PK041");
/// See its page.
pub const PK042: FindingCode = FindingCode("PK042");
/// See its page.
pub const PK043: FindingCode = FindingCode("PK043");
/// See its page.
pub const PK050: FindingCode = FindingCode("PK050");
/// See its page.
pub const PK051: FindingCode = FindingCode("PK051");
/// See its page.
pub const PK052: FindingCode = FindingCode("PK052");
/// See its page.
pub const PK053: FindingCode = FindingCode("PK053");
/// See its page.
pub const PK054: FindingCode = FindingCode("PK054");
/// See its page.
pub const PK055: FindingCode = FindingCode("PK055");
/// See its page.
pub const PK056: FindingCode = FindingCode("PK056");
/// See its page.
pub const PK057: FindingCode = FindingCode("PK057");
/// See its page.
pub const PK058: FindingCode = FindingCode("PK058");
/// See its page.
pub const PK060: FindingCode = FindingCode("PK060");
/// See its page.
pub const PK061: FindingCode = FindingCode("PK061");
/// See its page.
pub const PK062: FindingCode = FindingCode("PK062");
/// See its page.
pub const PK063: FindingCode = FindingCode("PK063");
/// See its page.
pub const PK064: FindingCode = FindingCode("PK064");
/// See its page.
pub const PK065: FindingCode = FindingCode("PK065");
/// See its page.
pub const PK066: FindingCode = FindingCode("PK066");
/// See its page.
pub const PK070: FindingCode = FindingCode("PK070");
/// See its page.
pub const PK071: FindingCode = FindingCode("PK071");
/// See its page.
pub const PK072: FindingCode = FindingCode("PK072");
/// See its page.
pub const PK073: FindingCode = FindingCode("PK073");
/// See its page.
pub const PK074: FindingCode = FindingCode("PK074");
/// See its page.
pub const PK075: FindingCode = FindingCode("PK075");
/// See its page.
pub const PK076: FindingCode = FindingCode("PK076");
/// See its page.
pub const PK077: FindingCode = FindingCode("PK077");
/// See its page.
pub const PK078: FindingCode = FindingCode("PK078");
/// See its page.
pub const PK079: FindingCode = FindingCode("PK079");
/// See its page.
pub const PK080: FindingCode = FindingCode("PK080");
/// See its page.
pub const PK081: FindingCode = FindingCode("PK081");
/// See its page.
pub const PK082: FindingCode = FindingCode("PK082");
/// See its page.
pub const PK083: FindingCode = FindingCode("PK083");
/// See its page.
pub const PK084: FindingCode = FindingCode("PK084");
/// See its page.
pub const PK085: FindingCode = FindingCode("PK085");
/// See its page.
pub const PK086: FindingCode = FindingCode("PK086");
/// See its page.
pub const PK090: FindingCode = FindingCode("PK090");
/// See its page.
pub const PK091: FindingCode = FindingCode("PK091");
/// See its page.
pub const PK092: FindingCode = FindingCode("PK092");
/// See its page.
pub const PK093: FindingCode = FindingCode("PK093");
/// See its page.
pub const PK094: FindingCode = FindingCode("PK094");
/// See its page.
pub const PK095: FindingCode = FindingCode("PK095");
/// See its page.
pub const PK096: FindingCode = FindingCode("PK096");
/// See its page.
pub const PK100: FindingCode = FindingCode("PK100");
/// See its page.
pub const PK101: FindingCode = FindingCode("PK101");
/// See its page.
pub const PK102: FindingCode = FindingCode("PK102");
/// See its page.
pub const PK103: FindingCode = FindingCode("PK103");
/// See its page.
pub const PK110: FindingCode = FindingCode("PK110");
/// See its page.
pub const PK111: FindingCode = FindingCode("PK111");
/// See its page.
pub const PK112: FindingCode = FindingCode("PK112");
/// See its page.
pub const PK113: FindingCode = FindingCode("PK113");
/// See its page.
pub const PK114: FindingCode = FindingCode("PK114");
/// See its page.
pub const PK115: FindingCode = FindingCode("PK115");
/// See its page.
pub const PK116: FindingCode = FindingCode("PK116");
/// See its page.
pub const PK120: FindingCode = FindingCode("PK120");
/// See its page.
pub const PK121: FindingCode = FindingCode("PK121");
/// See its page.
pub const PK122: FindingCode = FindingCode("PK122");
/// See its page.
pub const PK123: FindingCode = FindingCode("PK123");
/// See its page.
pub const PK124: FindingCode = FindingCode("PK124");
/// See its page.
pub const PK125: FindingCode = FindingCode("PK125");
/// See its page.
pub const PK126: FindingCode = FindingCode("PK126");
/// See its page.
pub const PK127: FindingCode = FindingCode("PK127");
/// See its page.
pub const PK128: FindingCode = FindingCode("PK128");
/// See its page.
pub const PK130: FindingCode = FindingCode("PK130");
/// See its page.
pub const PK131: FindingCode = FindingCode("PK131");
/// See its page.
pub const PK132: FindingCode = FindingCode("PK132");
/// See its page.
pub const PK133: FindingCode = FindingCode("PK133");
/// See its page.
pub const PK134: FindingCode = FindingCode("PK134");
/// See its page.
pub const PK135: FindingCode = FindingCode("PK135");
/// See its page.
pub const PK136: FindingCode = FindingCode("PK136");
/// See its page.
pub const PK137: FindingCode = FindingCode("PK137");
/// See its page.
pub const PK138: FindingCode = FindingCode("PK138");
/// See its page.
pub const PK139: FindingCode = FindingCode("PK139");
/// See its page.
pub const PK140: FindingCode = FindingCode("PK140");
/// See its page.
pub const PK141: FindingCode = FindingCode("PK141");
/// See its page.
pub const PK142: FindingCode = FindingCode("PK142");
/// See its page.
pub const PK143: FindingCode = FindingCode("PK143");
/// See its page.
pub const PK144: FindingCode = FindingCode("PK144");
/// See its page.
pub const PK145: FindingCode = FindingCode("PK145");
/// See its page.
pub const PK146: FindingCode = FindingCode("PK146");
/// See its page.
pub const PK147: FindingCode = FindingCode("PK147");
/// See its page.
pub const PK148: FindingCode = FindingCode("PK148");
/// See its page.
pub const PK149: FindingCode = FindingCode("PK149");
/// See its page.
pub const PK150: FindingCode = FindingCode("PK150");
/// See its page.
pub const PK151: FindingCode = FindingCode("PK151");
/// See its page.
pub const PK152: FindingCode = FindingCode("PK152");
/// See its page.
pub const PK153: FindingCode = FindingCode("PK153");
/// See its page.
pub const PK154: FindingCode = FindingCode("PK154");
/// See its page.
pub const PK155: FindingCode = FindingCode("PK155");
/// See its page.
pub const PK156: FindingCode = FindingCode("PK156");
/// See its page.
pub const PK157: FindingCode = FindingCode("PK157");
/// See its page.
pub const PK158: FindingCode = FindingCode("PK158");
/// See its page.
pub const PK165: FindingCode = FindingCode("PK165");
/// See its page.
pub const PK166: FindingCode = FindingCode("PK166");
