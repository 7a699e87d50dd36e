//! Regions whose clocks have short names, as `CET`, by which Java and the zone database call them alike.

use foldhash::fast::FixedState;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Since this second, the beginning of 1990.
const SINCE: i64 = 631_152_000;

/// The regions: of all others Java has names of its own.
const REGIONS: &str = "
    Africa/Abidjan Africa/Accra Africa/Addis_Ababa Africa/Algiers Africa/Asmara Africa/Asmera Africa/Bamako
    Africa/Bangui Africa/Banjul Africa/Bissau Africa/Blantyre Africa/Brazzaville Africa/Bujumbura Africa/Cairo
    Africa/Ceuta Africa/Conakry Africa/Dakar Africa/Dar_es_Salaam Africa/Djibouti Africa/Douala Africa/Freetown
    Africa/Gaborone Africa/Harare Africa/Johannesburg Africa/Kampala Africa/Kigali Africa/Kinshasa Africa/Lagos
    Africa/Libreville Africa/Lome Africa/Luanda Africa/Lubumbashi Africa/Lusaka Africa/Malabo Africa/Maputo
    Africa/Maseru Africa/Mbabane Africa/Mogadishu Africa/Monrovia Africa/Nairobi Africa/Ndjamena Africa/Niamey
    Africa/Nouakchott Africa/Ouagadougou Africa/Porto-Novo Africa/Timbuktu Africa/Tunis America/Anchorage
    America/Anguilla America/Antigua America/Aruba America/Atikokan America/Barbados America/Belize
    America/Blanc-Sablon America/Boise America/Cayman America/Chicago America/Coral_Harbour America/Costa_Rica
    America/Creston America/Curacao America/Dawson_Creek America/Denver America/Detroit America/Dominica
    America/El_Salvador America/Ensenada America/Fort_Wayne America/Glace_Bay America/Goose_Bay America/Grenada
    America/Guadeloupe America/Guatemala America/Halifax America/Havana America/Hermosillo
    America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Vevay America/Indianapolis America/Jamaica
    America/Juneau America/Kentucky/Louisville America/Kralendijk America/Los_Angeles America/Louisville
    America/Lower_Princes America/Marigot America/Martinique America/Matamoros America/Mazatlan America/Menominee
    America/Merida America/Mexico_City America/Moncton America/Monterrey America/Montreal America/Montserrat
    America/Nassau America/New_York America/Nipigon America/Nome America/Panama America/Phoenix
    America/Port-au-Prince America/Port_of_Spain America/Puerto_Rico America/Regina America/Santa_Isabel
    America/Santo_Domingo America/Shiprock America/Sitka America/St_Barthelemy America/St_Johns America/St_Kitts
    America/St_Lucia America/St_Thomas America/St_Vincent America/Swift_Current America/Tegucigalpa America/Thule
    America/Thunder_Bay America/Tijuana America/Toronto America/Tortola America/Virgin America/Yakutat
    Antarctica/Macquarie Antarctica/McMurdo Antarctica/South_Pole Arctic/Longyearbyen Asia/Beirut Asia/Calcutta
    Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Hong_Kong Asia/Jakarta Asia/Jayapura Asia/Jerusalem Asia/Karachi
    Asia/Kolkata Asia/Macao Asia/Macau Asia/Makassar Asia/Manila Asia/Nicosia Asia/Pontianak Asia/Pyongyang
    Asia/Seoul Asia/Shanghai Asia/Taipei Asia/Tel_Aviv Asia/Tokyo Asia/Ujung_Pandang Atlantic/Bermuda
    Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Jan_Mayen Atlantic/Madeira Atlantic/Reykjavik
    Atlantic/St_Helena Australia/ACT Australia/Adelaide Australia/Brisbane Australia/Broken_Hill Australia/Canberra
    Australia/Currie Australia/Darwin Australia/Hobart Australia/Lindeman Australia/Melbourne Australia/NSW
    Australia/North Australia/Perth Australia/Queensland Australia/South Australia/Sydney Australia/Tasmania
    Australia/Victoria Australia/West Australia/Yancowinna CET CST6CDT Canada/Atlantic Canada/Eastern
    Canada/Newfoundland Canada/Saskatchewan Cuba EET EST5EDT Egypt Eire Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0
    Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal Etc/Zulu Europe/Amsterdam Europe/Andorra Europe/Athens
    Europe/Belfast Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Bucharest Europe/Budapest
    Europe/Busingen Europe/Copenhagen Europe/Dublin Europe/Gibraltar Europe/Guernsey Europe/Helsinki
    Europe/Isle_of_Man Europe/Jersey Europe/Ljubljana Europe/London Europe/Luxembourg Europe/Madrid Europe/Malta
    Europe/Mariehamn Europe/Monaco Europe/Nicosia Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague
    Europe/Riga Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Sofia Europe/Stockholm
    Europe/Tallinn Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich
    GB GB-Eire GMT GMT0 Greenwich Hongkong Iceland Indian/Antananarivo Indian/Comoro Indian/Mayotte Israel Jamaica
    Japan MST7MDT Mexico/BajaNorte Mexico/BajaSur Mexico/General NZ Navajo PRC PST8PDT Pacific/Auckland
    Pacific/Honolulu Pacific/Midway Pacific/Pago_Pago Pacific/Samoa Poland ROK UCT US/Alaska US/Arizona US/Central
    US/East-Indiana US/Eastern US/Hawaii US/Michigan US/Mountain US/Pacific US/Samoa UTC Universal Zulu
";

static INDEX: LazyLock<HashSet<&'static str, FixedState>> = LazyLock::new(|| REGIONS.split_whitespace().collect());

/// Whether the short name of the database is Java's too, at this second since 1970.
pub(super) fn is_known(region: &str, second: i64) -> bool {
    second >= SINCE && INDEX.contains(region)
}
