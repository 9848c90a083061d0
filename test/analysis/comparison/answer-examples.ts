// Pairs of answers: turned bounds, opposite words and facts that changed places, and rewordings that look like them.

/** [before, after, lost, gained]: the facts as they are shown. */
export const TURNED: readonly (readonly [before: string, after: string, lost: string[], gained: string[]])[] =
  [
    // Denials.
    ['Without a form.', 'With a form.', ['Without'], []],
    ['Ohne Formular.', 'Mit Formular.', ['Ohne'], []],
    ['Installation is allowed', 'Installation is forbidden', [], ['forbidden']],
    ['Das ist erlaubt.', 'Das ist verboten.', [], ['verboten']],
    ['It is possible', 'It is impossible', [], ['impossible']],
    ['It is always on', 'It is never on', [], ['never']],
    ['Den Rechner immer sperren', 'Den Rechner nie sperren', [], ['nie']],
    // Opposites.
    ['The form is required', 'The form is optional', ['required'], ['optional']],
    ['An optional form, please', 'A required form, please', ['optional'], ['required']],
    ['Optional form', 'Mandatory form', ['Optional'], ['Mandatory']],
    ['Training is mandatory', 'The training is now voluntary', ['mandatory'], ['voluntary']],
    ['MFA is enabled.', 'MFA is disabled.', ['enabled'], ['disabled']],
    ['The office is open.', 'The office is closed.', ['open'], ['closed']],
    ['Die Teilnahme ist Pflicht', 'Die Teilnahme ist freiwillig', ['Pflicht'], ['freiwillig']],
    // Bounds.
    ['At most 30 minutes', 'At least 30 minutes', ['At most 30 minutes'], ['At least 30 minutes']],
    ['It takes at most an hour', 'It takes at least an hour', ['at most an hour'], ['at least an hour']],
    ['Before 5 May', 'After 5 May', ['Before 5 May'], ['After 5 May']],
    ['Before the 5 May.', 'After the 5 May.', ['Before the 5 May'], ['After the 5 May']],
    ['No more than 5 users', 'No less than 5 users', ['No more than 5'], ['No less than 5']],
    ['Up to 5 users', 'At least 5 users', ['Up to 5'], ['At least 5']],
    ['mindestens 3 Tage', 'höchstens 3 Tage', ['mindestens 3 Tage'], ['höchstens 3 Tage']],
    ['vor dem 5. Mai', 'nach dem 5. Mai', ['vor dem 5. Mai'], ['nach dem 5. Mai']],
    ['bis 5. Mai', 'ab 5. Mai', ['bis 5. Mai'], ['ab 5. Mai']],
    ['until 5 May', 'from 5 May', ['until 5 May'], ['from 5 May']],
    ['Submit it within 30 days', 'Submit it after 30 days', ['within 30 days'], ['after 30 days']],
    ['Submit it by 5 May', 'Submit it after 5 May', ['by 5 May'], ['after 5 May']],
    // Facts that changed places.
    [
      'VPN takes 3 days, Wi-Fi 5 days',
      'VPN takes 5 days, Wi-Fi 3 days',
      ['3 days', '5 days'],
      ['5 days', '3 days'],
    ],
    [
      'VPN takes 3 days. Wi-Fi takes 5 days.',
      'Wi-Fi takes 3 days. VPN takes 5 days.',
      ['3 days', '5 days'],
      ['5 days', '3 days'],
    ],
    [
      'VPN: 3 days\nWi-Fi: 5 days\nLaptop: 5 days',
      'VPN: 3 days\nWi-Fi: 3 days\nLaptop: 5 days',
      ['5 days'],
      ['3 days'],
    ],
    [
      'For VPN mail a@example.com, for Wi-Fi b@example.com.',
      'For VPN mail b@example.com, for Wi-Fi a@example.com.',
      ['a@example.com', 'b@example.com'],
      ['b@example.com', 'a@example.com'],
    ],
  ]

export const REWORDED_ALIKE: readonly (readonly [before: string, after: string])[] = [
  ['It is not possible', 'It is impossible'],
  ['Sharing is not allowed', 'Sharing is forbidden'],
  ['You need no password', 'Log in without a password'],
  ['Reply with the form', 'Reply using the form'],
  ['Open the portal.', 'In the portal.'],
  ['Open the ticket.', 'The ticket can be closed.'],
  ['The form is required. You can add a photo.', 'You need the form; a photo is optional.'],
  ['It is required. A photo can be added.', 'You need it. A photo is added; it is optional.'],
  ['It is at most 5 users', 'It is no more than 5 users'],
  ['Submit it by 5 May', 'Submit it until 5 May'],
  ['Submit it by 5 May', 'Submit it no later than 5 May'],
  ['Submit it before 5 May', 'Submit it by 5 May'],
  ['Valid until 5 May', 'Expires after 5 May'],
  ['Sessions last up to 30 minutes', 'You are logged out after 30 minutes'],
  ['It is extended by 5 days', 'It is extended for at least 5 days'],
  ['At least 5 days; 5 days at most', 'At most 5 days; 5 days at least; at least 5 days'],
  ['Open on Monday and Friday', 'Open on Friday and Monday'],
  ['Monday 9:00 and Tuesday 10:00 are free', 'Tuesday 10:00 and Monday 9:00 are free'],
  ['VPN takes 3 days. Wi-Fi takes 5 days.', 'Wi-Fi takes 5 days. VPN takes 3 days.'],
  [
    'VPN first. It takes 3 days. Wi-Fi second, which takes 5 days.',
    'VPN first, which takes 3 days. Wi-Fi second. It takes 5 days.',
  ],
]
