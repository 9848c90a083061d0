// Answers with what was expected of them, and the sentence that an editor reads where they fail.

type Column = 'contains' | 'notContains' | 'regex' | 'source' | 'maxLatencyMs'

/** Column, what it expects, what was found, and the sentence; no sentence where the answer passes. */
export type GradedExample = readonly [column: Column, expected: string, found: string, sentence?: string]

const missing = (phrase: string, answer: string): string =>
  `does not contain '${phrase}'; the answer was '${answer}'`
const forbidden = (phrase: string, answer: string): string =>
  `contains '${phrase}', which it must not; found in '${answer}'`
const unmatched = (source: string, answer: string): string =>
  `does not match the regular expression '${source}'; the answer was '${answer}'`

export const GRADED_EXAMPLES: readonly GradedExample[] = [
  // Plain English
  ['contains', 'VPN profile', 'Choose the VPN profile for your office.'],
  ['contains', 'VPN profile', 'choose the vpn PROFILE for your office'],
  ['contains', 'VPN profile', 'Choose the profile.', missing('VPN profile', 'Choose the profile.')],
  ['contains', '30 minutes', 'It works for 30\u00a0minutes.'],
  ['contains', '30 minutes', 'It works for 30\n  minutes.'],
  [
    'contains',
    '30 minutes',
    'It works for half an hour.',
    missing('30 minutes', 'It works for half an hour.'),
  ],
  ['contains', '€150', 'It costs €150.'],
  ['contains', '€150', 'It costs € 150.', missing('€150', 'It costs € 150.')],
  ['contains', 'a|b', 'Either a|b will do.'],
  ['contains', 'C:\\Users', 'Look under C:\\Users first.'],
  ['contains', '<b>', 'Write <b> before it.'],
  ['contains', '=1+1', 'Type =1+1 in the cell.'],
  ['contains', 'ext. 4400', 'Call EXT. 4400'],
  ['contains', 'anything', '', `does not contain 'anything'; the answer was (empty)`],
  ['contains', 'anything', ' \n ', `does not contain 'anything'; the answer was (empty)`],
  ['contains', '\u200b', 'Nothing visible is expected.'],
  // Typographic variants
  ['contains', "don't", 'You don’t need to.'],
  ['contains', 'don’t', "You don't need to."],
  ['contains', "don't", 'You donʼt need to.'],
  ['contains', "don't", 'You don`t need to.'],
  ['contains', "don't", 'You don´t need to.'],
  ['contains', '"Settings"', 'Open “Settings”.'],
  ['contains', '"Settings"', 'Open „Settings“.'],
  ['contains', '"Settings"', 'Open «Settings».'],
  ['contains', "'Settings'", 'Open ‚Settings‘.'],
  ['contains', "'Settings'", 'Open ‹Settings›.'],
  ['contains', '9-17', 'Open 9–17.'],
  ['contains', '9–17', 'Open 9-17.'],
  ['contains', 'self-service', 'In the self‑service portal.'],
  ['contains', 'yes - no', 'yes — no'],
  ['contains', '-5', 'At −5 degrees.'],
  ['contains', 'wait...', 'Just wait…'],
  ['contains', 'wait…', 'Just wait...'],
  ['contains', 'password', 'Your pass\u00adword.'],
  ['contains', 'desk.example.com/password', 'https://desk.example.com/\u200bpassword'],
  ['contains', 'thumbs ❤ up', 'thumbs ❤️ up'],
  ['contains', '5′', "It is 5' long."],
  // Unicode forms
  ['contains', 'café', 'the cafe\u0301 upstairs'],
  ['contains', 'cafe\u0301', 'the CAFÉ upstairs'],
  ['contains', 'cafe', 'the café upstairs', missing('cafe', 'the café upstairs')],
  ['contains', 'file', 'the ﬁle'],
  ['contains', 'VPN', 'ＶＰＮ'],
  ['contains', '10', '１０'],
  ['contains', 'm2', '25 m²'],
  ['contains', '1/2', '1⁄2', missing('1/2', '1⁄2')],
  ['contains', 'Å', 'Å'],
  ['contains', 'ǆ', 'Ǆ'],
  ['contains', '👩‍💻', 'Ask 👩‍💻 there.'],
  // German
  ['contains', 'Straße', 'in der STRASSE'],
  ['contains', 'Strasse', 'in der Straße'],
  ['contains', 'GROẞ', 'groß genug'],
  ['contains', 'Öffnungszeiten', 'Die ÖFFNUNGSZEITEN stehen hier.'],
  ['contains', 'Offnungszeiten', 'Öffnungszeiten', missing('Offnungszeiten', 'Öffnungszeiten')],
  ['contains', '„Passwort vergessen“', 'Klicken Sie auf "Passwort vergessen".'],
  // Polish
  ['contains', 'hasło', 'Zmień HASŁO w portalu.'],
  ['contains', 'haslo', 'Zmień hasło.', missing('haslo', 'Zmień hasło.')],
  ['contains', '„Wyślij”', 'Kliknij "wyślij".'],
  // Turkish
  ['contains', 'İstanbul', 'istanbul ofisi'],
  ['contains', 'ISTANBUL', 'İstanbul ofisi'],
  ['contains', 'kısa', 'KISA bir süre'],
  ['contains', 'şifre', 'ŞİFRE yenileme'],
  ['contains', 'parola', 'Şifre yenileme', missing('parola', 'Şifre yenileme')],
  // Greek, Cyrillic, Arabic, Hebrew, Hindi, Vietnamese
  ['contains', 'κωδικός', 'Ο ΚΩΔΙΚΌΣ σας'],
  ['contains', 'ΚΩΔΙΚΌΣ', 'ο κωδικός σας'],
  ['contains', 'пароль', 'Смените ПАРОЛЬ'],
  ['contains', 'й', 'и\u0306'],
  ['contains', 'كلمة المرور', 'غيّر كلمة المرور'],
  ['contains', 'סיסמה', 'אפס את הסיסמה'],
  ['contains', 'पासवर्ड', 'अपना पासवर्ड बदलें'],
  ['contains', 'mật khẩu', 'MẬT KHẨU mới'],
  // Chinese, Japanese, Korean, Thai
  ['contains', '重置密码', '您可以在门户中重置密码。'],
  ['contains', '密碼', '重置密码', missing('密碼', '重置密码')],
  ['contains', 'パスワード', 'パスワードをリセットします。'],
  ['contains', 'パスワード', 'ﾊﾟｽﾜｰﾄﾞをリセットします。'],
  ['contains', 'VPN 接続', 'VPN\u3000接続の設定'],
  ['contains', '"設定"', '「設定」を開く'],
  ['contains', '비밀번호', '비밀번호를 재설정하세요'],
  ['contains', '한글', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
  ['contains', 'รหัสผ่าน', 'เปลี่ยนรหัสผ่าน'],
  // What must not be said
  ['notContains', 'password', 'Open the portal.'],
  ['notContains', 'I cannot', 'Sorry, I CANNOT help.', forbidden('I cannot', 'Sorry, I CANNOT help.')],
  ['notContains', "I can't", 'I can’t say.', forbidden("I can't", 'I can’t say.')],
  ['notContains', 'ask HR', 'Please ask\u00a0HR.', forbidden('ask HR', 'Please ask HR.')],
  ['notContains', 'als KI', 'ALS KI kann ich das nicht.', forbidden('als KI', 'ALS KI kann ich das nicht.')],
  ['notContains', '申し訳', '申し訳ございません。', forbidden('申し訳', '申し訳ございません。')],
  ['notContains', 'anything', ''],
  ['notContains', '\u200b', 'An invisible phrase forbids nothing.'],
  ['notContains', 'strasse', 'Hauptstraße 5', forbidden('strasse', 'Hauptstraße 5')],
  // Regular expressions: flags iu, the answer as it came
  ['regex', String.raw`every\s+14\s+days`, 'Every 14\ndays it asks.'],
  [
    'regex',
    String.raw`\b3 working days\b`,
    'in 13 working days',
    unmatched(String.raw`\b3 working days\b`, 'in 13 working days'),
  ],
  ['regex', String.raw`^\p{Lu}`, 'lower case is upper under i'],
  ['regex', String.raw`^(?!.*sorry)`, 'Sorry.', unmatched('^(?!.*sorry)', 'Sorry.')],
  ['regex', String.raw`\p{sc=Han}{2,}`, '重置密码'],
  ['regex', String.raw`NG-\d{3}`, 'It says NG-310.'],
  ['regex', '“VPN”', '"VPN"', unmatched('“VPN”', '"VPN"')],
  ['regex', '^.$', '😱'],
  ['regex', 'straße', 'STRASSE', unmatched('straße', 'STRASSE')],
  ['regex', '^$', ''],
  ['regex', '(?<=€)150', 'It costs €150.'],
  // Sources
  ['source', 'KNOWLEDGE_BASE', 'KNOWLEDGE_BASE'],
  ['source', 'KNOWLEDGE_BASE', 'knowledge_base '],
  ['source', 'KNOWLEDGE_BASE', 'MODEL', 'was MODEL, expected KNOWLEDGE_BASE'],
  ['source', 'KNOWLEDGE_BASE', '', 'was (empty), expected KNOWLEDGE_BASE'],
  ['source', 'KNOWLEDGE_BASE', 'KNOWLEDGE', 'was KNOWLEDGE, expected KNOWLEDGE_BASE'],
  ['source', '!KNOWLEDGE_BASE', 'MODEL'],
  ['source', '!KNOWLEDGE_BASE', ''],
  ['source', '!KNOWLEDGE_BASE', 'KNOWLEDGE_BASE', 'was KNOWLEDGE_BASE, expected anything else'],
  ['source', '!knowledge_base', 'KNOWLEDGE_BASE', 'was KNOWLEDGE_BASE, expected anything else'],
  ['source', 'Wissensbasis', 'Modell\nzwei', 'was Modell zwei, expected Wissensbasis'],
  // Times, service time in milliseconds
  ['maxLatencyMs', '5000', '4999.9'],
  ['maxLatencyMs', '5000', '5000'],
  ['maxLatencyMs', '5000', '5000.04', 'took 5000.040 ms, allowed 5000 ms'],
  ['maxLatencyMs', '5000', '7213.44', 'took 7213.4 ms, allowed 5000 ms'],
]

/** Reference answer, answer, the token F1 by hand: 2 × shared ÷ (words of one + words of the other). */
export const SIMILAR_EXAMPLES: readonly (readonly [reference: string, answer: string, f1: number])[] = [
  ['The password is reset in the portal.', 'the portal: password, is reset in', 1],
  ['Call the service desk', 'You call a service desk.', 6 / 7],
  ['yes', 'no', 0],
  ['', '', 1],
  ['The', 'a', 1],
  ['the', 'password', 0],
  ['e-mail', 'email', 1],
  ['to be or not to be', 'to be', 4 / 8],
  ['don’t', "DON'T", 1],
  ['Das Passwort zurücksetzen', 'PASSWORT zurücksetzen', 4 / 5],
  ['große Straße', 'GROSSE STRASSE', 1],
  ['Zmień hasło w portalu', 'hasło zmień', 4 / 6],
  ['Şifreyi portalda yenileyin', 'ŞİFREYİ yenileyin', 4 / 5],
  ['重置密码', '重置密码。', 1],
  ['パスワードをリセット', 'パスワードをリセット！', 1],
]
