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
    // Bounds.
    // Facts that changed places.
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
  ['Submit it before 5 May', 'Submit it by 5 May'],
  ['Valid until 5 May', 'Expires after 5 May'],
  ['Sessions last up to 30 minutes', 'You are logged out after 30 minutes'],
  ['It is extended by 5 days', 'It is extended for at least 5 days'],
  ['At least 5 days; 5 days at most', 'At most 5 days; 5 days at least; at least 5 days'],
  ['Open on Monday and Friday', 'Open on Friday and Monday'],
  ['Monday 9:00 and Tuesday 10:00 are free', 'Tuesday 10:00 and Monday 9:00 are free'],
  [
    'VPN first. It takes 3 days. Wi-Fi second, which takes 5 days.',
    'VPN first, which takes 3 days. Wi-Fi second. It takes 5 days.',
  ],
]
