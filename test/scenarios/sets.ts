// Question sets that several scenarios send.

/** Two conversations and a single question, without expectations. Three of its four questions have an article in articles/. */
export const SMALL = `id,thread,message,tags
vpn,office,How do I set up the VPN?,network
permit,office,What does a parking permit cost?,cars
toner,,How do I replace the printer toner?,devices
zebra,zoo,Which zebra won?,fun
`

export const SMALL_CONVERSATIONS = [
  ['How do I set up the VPN?', 'What does a parking permit cost?'],
  ['How do I replace the printer toner?'],
  ['Which zebra won?'],
]

export const LONG_CONVERSATION = [
  'How do I set up the VPN?',
  'What does a parking permit cost?',
  'How do I replace the printer toner?',
  'Does the VPN work from home?',
  'Where are parking permits handed out?',
  'Where does the toner for the printer lie?',
] as const

/** One conversation of six questions, each with an article. */
export const LONG = ['thread,message', ...LONG_CONVERSATION.map((message) => `t,${message}`), ''].join('\n')

/** Expectations: met by all answers except the third. */
export const EXPECTING = `id,message,expect_source,expect_contains,must_pass,tags
vpn,How do I set up the VPN?,KNOWLEDGE_BASE,gate.example.com,yes,network
permit,What does a parking permit cost?,,12 euros,,cars
toner,How do I replace the printer toner?,,room 999,,devices
zebra,Which zebra won?,!KNOWLEDGE_BASE,,,fun
`

/** The figures of a run of SMALL, and of LONG, in which every call succeeds. */
export const ALL_FOUR = 'done; answered 4; grounded 3 of 4; certain 4'
export const ALL_SIX = 'done; answered 6; grounded 6 of 6; certain 6'
