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
  // Typographic variants and other scripts: one of each kind. All signs of Unicode: fold.test.ts
  ['contains', "don't", 'You don’t need to.'],
  ['contains', '"Settings"', 'Open “Settings”.'],
  ['contains', '9-17', 'Open 9–17.'],
  ['contains', 'wait...', 'Just wait…'],
  ['contains', 'password', 'Your pass\u00adword.'],
  ['contains', 'desk.example.com/password', 'https://desk.example.com/\u200bpassword'],
  ['contains', 'café', 'the cafe\u0301 upstairs'],
  ['contains', 'cafe', 'the café upstairs', missing('cafe', 'the café upstairs')],
  ['contains', 'file', 'the ﬁle'],
  ['contains', '1/2', '1⁄2', missing('1/2', '1⁄2')],
  ['contains', 'Straße', 'in der STRASSE'],
  ['contains', 'Offnungszeiten', 'Öffnungszeiten', missing('Offnungszeiten', 'Öffnungszeiten')],
  ['contains', 'İstanbul', 'istanbul ofisi'],
  ['contains', 'şifre', 'ŞİFRE yenileme'],
  ['contains', 'ΚΩΔΙΚΌΣ', 'ο κωδικός σας'],
  ['contains', 'パスワード', 'ﾊﾟｽﾜｰﾄﾞをリセットします。'],
  ['contains', '한글', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
  // What must not be said
  ['notContains', 'password', 'Open the portal.'],
  ['notContains', 'I cannot', 'Sorry, I CANNOT help.', forbidden('I cannot', 'Sorry, I CANNOT help.')],
  ['notContains', "I can't", 'I can’t say.', forbidden("I can't", 'I can’t say.')],
  ['notContains', 'ask HR', 'Please ask\u00a0HR.', forbidden('ask HR', 'Please ask HR.')],
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
