"""Bytes to text: mark, header, the page's own word, detection (FIELD_CASES P7)."""

import pytest

from lazyboy_jupyter.adapters.sources.extraction.charset import codec_of, decode

CHINESE = "潮汐每天涨落两次，因为月亮绕着地球运行。渔民按照潮汐的时间出海，港口的水位变化很大。"
TRADITIONAL = "潮汐每天漲落兩次，因為月亮繞著地球運行。漁民按照潮汐的時間出海，港口的水位變化很大。"
JAPANESE = "潮は一日に二回満ち引きします。月が地球を回っているからです。漁師は海に出ます。"
KOREAN = "밀물과 썰물은 하루에 두 번 일어난다. 달이 지구를 돌기 때문이다."
RUSSIAN = "Прилив поднимается дважды в день, потому что Луна обходит Землю."
GREEK = "Η παλίρροια ανεβαίνει δύο φορές την ημέρα, επειδή η Σελήνη γυρίζει γύρω από τη Γη."
HEBREW = "הגאות עולה פעמיים ביום כי הירח מקיף את כדור הארץ והדייגים יוצאים לים לפי שעת הגאות"
ARABIC = "يرتفع المد مرتين في اليوم لأن القمر يدور حول الأرض ويخرج الصيادون إلى البحر في وقت المد"
THAI = "น้ำขึ้นวันละสองครั้งเพราะดวงจันทร์โคจรรอบโลก ชาวประมงออกทะเลตามเวลาน้ำขึ้น"
POLISH = "Przypływ podnosi się dwa razy dziennie, ponieważ Księżyc krąży wokół Ziemi."
CZECH = "Příliv stoupá dvakrát denně, protože Měsíc obíhá Zemi. Rybáři vyplouvají."
TURKISH = "Gelgit günde iki kez yükselir, çünkü Ay Dünya'nın çevresinde döner. Işık ağaçta."
GERMAN = "Die Flut steigt zweimal täglich, weil der Mond um die Erde läuft. Größe und Höhe."
FRENCH = "La marée monte deux fois par jour. Les pêcheurs s'en vont dès qu'elle est élevée."

ENCODED = [
    (CHINESE, "gb2312", "gb2312"),
    (CHINESE, "gb18030", "gb18030"),
    (TRADITIONAL, "big5", "big5"),
    (JAPANESE, "shift_jis", "x-sjis"),
    (JAPANESE, "euc_jp", "EUC-JP"),
    (JAPANESE, "iso2022_jp", "iso-2022-jp"),
    (KOREAN, "euc_kr", "ks_c_5601-1987"),
    (RUSSIAN, "cp1251", "windows-1251"),
    (RUSSIAN, "koi8_r", "KOI8-R"),
    (GREEK, "cp1253", "windows-1253"),
    (HEBREW, "cp1255", "windows-1255"),
    (ARABIC, "cp1256", "windows-1256"),
    (THAI, "cp874", "tis-620"),
    (POLISH, "iso8859_2", "iso-8859-2"),
    (CZECH, "cp1250", "windows-1250"),
    (TURKISH, "cp1254", "iso-8859-9"),
    (GERMAN, "cp1252", "iso-8859-1"),
    (FRENCH, "iso8859_15", "iso-8859-15"),
]
IDS = [f"{codec} {number}" for number, (_, codec, _) in enumerate(ENCODED)]


def page(text: str, meta: str = "") -> str:
    return f"<html><head>{meta}<title>x</title></head><body><p class='a'>{text}</p></body></html>"


@pytest.mark.parametrize(("text", "codec", "label"), ENCODED, ids=IDS)
def test_the_header_names_the_charset(text: str, codec: str, label: str) -> None:
    found, _ = decode(page(text).encode(codec), f"text/html; charset={label}")
    assert found == page(text)


@pytest.mark.parametrize(("text", "codec", "label"), ENCODED, ids=IDS)
def test_the_page_names_the_charset(text: str, codec: str, label: str) -> None:
    for meta in (
        f'<meta charset="{label}">',
        f"<META http-equiv=Content-Type content='text/html; charset={label}'>",
    ):
        whole = page(text, meta)
        assert decode(whole.encode(codec), "text/html")[0] == whole


@pytest.mark.parametrize(("text", "codec", "label"), ENCODED, ids=IDS)
def test_nobody_names_the_charset(text: str, codec: str, label: str) -> None:
    whole = page("</p><p>".join([text, text[: len(text) // 2]]))
    assert decode(whole.encode(codec), "")[0] == whole, label


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_the_mark_of_byte_order_is_above_all(codec: str) -> None:
    found, _ = decode(page(JAPANESE).encode(codec), "text/html; charset=windows-1251")
    assert found == page(JAPANESE)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark_is_told_by_its_zeros(codec: str) -> None:
    assert decode(page(GERMAN).encode(codec), "text/html")[0] == page(GERMAN)


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, CHINESE, THAI])
@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "gbk", "shift_jis", "utf-16"])
def test_utf8_under_a_wrong_name_is_still_utf8(text: str, label: str) -> None:
    assert decode(page(text).encode(), f"text/html; charset={label}")[0] == page(text)


@pytest.mark.parametrize(
    ("text", "codec"), [(RUSSIAN, "cp1251"), (JAPANESE, "shift_jis"), (GERMAN, "cp1252")]
)
def test_what_is_called_utf8_and_is_not_is_detected(text: str, codec: str) -> None:
    whole = page(text, '<meta charset="utf-8">')
    assert decode(whole.encode(codec), "text/html; charset=utf-8")[0] == whole


def test_a_page_in_utf8_with_a_few_broken_bytes_stays_utf8() -> None:
    data = page(RUSSIAN).encode().replace("день".encode(), b"\xff", 1)
    found, charset = decode(data, "")
    assert charset == "utf-8"
    assert "дважды в \ufffd, потому" in found


def test_a_character_that_was_cut_at_the_end_does_not_change_the_charset() -> None:
    data = CHINESE.encode()[:-1]
    assert decode(data, "")[0].startswith(CHINESE[:-1])


def test_the_page_cannot_say_utf16_in_ascii() -> None:
    whole = page(GERMAN, '<meta charset="utf-16">')
    assert decode(whole.encode(), "text/html")[0] == whole


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("latin1", "cp1252"),
        ("'ISO-8859-1'", "cp1252"),
        ("gb2312", "gb18030"),
        ("windows-1257", "cp1257"),
        ("iso-8859-5", "iso8859-5"),
        ("utf8", "utf-8"),
        ("nonsense", ""),
        ("base64", ""),
        ("idna", ""),
        ("unicode_escape", ""),
        ("rot13", ""),
        ("\x00", ""),
    ],
)
def test_labels_are_read_as_the_web_reads_them(label: str, codec: str) -> None:
    assert codec_of(label) == codec


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff", b"\xff\xfe\x00", b"\x80" * 50, b"\x1b$B"])
def test_any_bytes_give_a_text(data: bytes) -> None:
    text, charset = decode(data, "text/html; charset=")
    assert isinstance(text, str)
    assert charset
