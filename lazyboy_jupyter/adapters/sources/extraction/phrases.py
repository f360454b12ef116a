"""Owns the words by which pages are known that stand in the place of another; decides nothing.

One expression a line. A line that can match anywhere is kept specific: a page is judged by its
length as well (`classify.py`), but a short note must not be taken for a wall.
"""

import re


def _any_of(lines: str, *, whole: bool = False) -> re.Pattern[str]:
    patterns = "|".join(line.strip() for line in lines.strip().splitlines())
    return re.compile(rf"^\W*(?:{patterns})\W*$" if whole else patterns, re.IGNORECASE)


CHALLENGE_TITLE = _any_of(
    r"""
    just a moment
    one moment,? please
    attention required!?(?:\s*\|\s*cloudflare)?
    access (?:to this page has been )?denied
    access denied(?:\W+[|·–-].{0,40})?
    pardon our interruption
    robot or human
    are you (?:a )?(?:robot|human)
    (?:human|bot) verification
    (?:please )?verify you are (?:a )?human
    (?:vercel )?security (?:check|verification|checkpoint)
    ddos-guard
    client challenge
    challenge validation
    making sure you.?re not a bot
    checking your browser.{0,40}
    please wait
    you have been blocked
    request rejected
    captcha
    nur einen moment
    un momento
    un instant
    один момент
    请稍候
    しばらくお待ちください
    """,
    whole=True,
)

CHALLENGE_TEXT = _any_of(
    r"""
    checking (?:if the site connection is secure|your browser before)
    verify(?:ing)? (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot|bot)
    needs to review the security of your connection
    enable javascript and cookies to continue
    please enable js and disable any ad ?blocker
    complete the (?:security check|captcha)
    why have i been blocked
    sorry, you have been blocked
    performance (?:&|and) security by cloudflare
    cloudflare ray id
    ray id:
    incapsula incident id
    press (?:&|and) hold
    unusual (?:traffic|activity) from your
    you don'?t have permission to access .{0,300}reference #
    reference #\d+\.[0-9a-f]+
    we want to make sure it is actually you
    (?:confirm|prove) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:robot|bot))
    are you a robot\?
    i'?m not a robot
    automated (?:access|requests|tools)
    this process is automatic
    ddos protection by
    protected by anubis
    you (?:have been|were|are) (?:temporarily )?blocked
    powered by perimeterx
    to continue, please (?:complete|type)
    let.s confirm you are human
    blocked by (?:the )?(?:network )?security
    your request has been blocked
    """
)

CHALLENGE_MARKUP = _any_of(
    r"""
    _cf_chl_opt
    cf-chl-
    cf_chl_
    id=["']challenge-(?:form|running|stage|error)
    captcha-delivery\.com
    px-captcha
    _incapsula_resource
    token\.awswaf\.com
    awswafcookiedomainlist
    gokuprops
    /_sec/cp_challenge
    sec-if-cpt
    distil_r_captcha
    ddos-guard/js-challenge
    sucuri_cloudproxy
    kpsdk
    /anubis/
    _fs-ch-
    vercel/security
    errors\.edgesuite\.net
    ak_bmsc_challenge
    """
)

SCRIPTS_NEEDED = _any_of(
    r"""
    (?:enable|activate|turn on|allow|requires?|needs?|without)\W{1,3}(?:\w+\W{1,3}){0,4}java ?script
    (?:activer|aktivier\w*|habilit\w*|activ[ae]\w*|attiva\w*)\W{1,3}(?:\w+\W{1,3}){0,4}java ?script
    (?:включите|启用|启动|有効)\W{0,3}java ?script
    java ?script\W{1,3}(?:\w+\W{1,3}){0,3}(?:required|disabled|turned off|enabled|necessary)
    java ?script\W{1,3}(?:\w+\W{1,3}){0,3}not (?:enabled|available|supported)
    java ?script\W{1,3}(?:\w+\W{1,3}){0,3}(?:deaktiviert|aktivier\w*|désactivée?|requis)
    browser (?:is )?(?:not|no longer) supported
    unsupported browser
    """
)

MOUNT = _any_of(
    r"""
    <(?:div|main|section)\s[^>]{0,200}id=["']?(?:root|app|__next|__nuxt|___gatsby)["'\s>]
    <(?:div|main|section)\s[^>]{0,200}id=["']?(?:app-root|main-app|react-root|svelte|q-app)["'\s>]
    <(?:div|main|section)\s[^>]{0,200}id=["']?(?:application|ember-app|mount)["'\s>]
    <app-root
    ng-app=
    ng-version=
    data-reactroot
    """
)
"""Where the scripts of an application put its page."""

PASSWORD = _any_of(
    r"""
    type=["']?password\b
    autocomplete=["']?current-password
    """
)

LOGIN = _any_of(
    r"""
    \b(?:log ?in|sign ?in|log ?on|anmelden|einloggen|se connecter|connexion|iniciar sesi[óo]n)\b
    \b(?:entrar|accedi|inloggen|logga in|zaloguj|войти|вход|увійти)\b
    登录|登入|ログイン|로그인|تسجيل الدخول
    """
)

LOGIN_TITLE = _any_of(
    r"""
    (?:please )?(?:log ?in|sign ?in|log ?on)\b.{0,60}
    (?:anmelden|anmeldung|connexion|iniciar sesi[óo]n|вход|войти)\b.{0,60}
    (?:登录|登入|ログイン|로그인).{0,60}
    .{0,60}\s[|·–—-]\s*(?:log ?in|sign ?in)
    """,
    whole=True,
)

LOGIN_NEEDED = _any_of(
    r"""
    you (?:must|need to|have to) (?:first )?(?:be )?(?:logged in|log ?in|signed in|sign ?in)
    please (?:first )?(?:log ?in|sign ?in)
    (?:log|sign) ?in to (?:continue|view|access|read|see)
    only (?:available|visible) to (?:members|subscribers|registered)
    """
)

_THING = (
    r"(?:sorry|oops)?\W*(?:the |this )?(?:page|file|document|content|article|site|url|resource)"
    r"(?: you\b.{0,60})?"
)
_MISSING = "not found|found|unavailable|missing|no longer (?:available|exists|here)|gone"
NOT_FOUND = _any_of(
    rf"""
    (?:error|http|status)?\W*404(?:\W+(?:error|page|file|not found|object)\b.{{0,60}})?
    .{{0,30}}\b404(?:\W+error)?
    {_THING} (?:was |is )?(?:{_MISSING}).{{0,40}}
    {_THING} (?:can ?not|can.t|could ?n[o.]t|could not) be found.{{0,40}}
    {_THING} (?:does ?n[o.]t|does not) exist.{{0,40}}
    not found
    nothing (?:was )?found
    410 gone
    (?:diese )?seite (?:wurde )?nicht gefunden.{{0,30}}
    page (?:introuvable|non trouvée).{{0,30}}
    p[áa]gina n[oã]o? encontrada.{{0,30}}
    pagina (?:non trovata|niet gevonden).{{0,30}}
    страница не найдена.{{0,30}}
    сторінку не знайдено.{{0,30}}
    页面(?:不存在|未找到).{{0,20}}
    找不到(?:页面|頁面|網頁).{{0,20}}
    ページが見つかりません.{{0,20}}
    페이지를 찾을 수 없습니다.{{0,20}}
    """,
    whole=True,
)
