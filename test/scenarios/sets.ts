// Question sets that several scenarios ask. Of the first, three of four questions have an article in articles/.

/** Two conversations and a single question; nothing is expected of the answers. */
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

/** What is expected of the first two is there, the third answer lacks it. */
export const EXPECTING = `id,message,expect_source,expect_contains,must_pass,tags
vpn,How do I set up the VPN?,KNOWLEDGE_BASE,gate.example.com,yes,network
permit,What does a parking permit cost?,,12 euros,,cars
toner,How do I replace the printer toner?,,room 999,,devices
zebra,Which zebra won?,!KNOWLEDGE_BASE,,,fun
`

/** The figures of a run of SMALL in which all is well; of LONG. */
export const ALL_FOUR = 'passed; answered 4; grounded 3 of 4; certain 4'
export const ALL_SIX = 'passed; answered 6; grounded 6 of 6; certain 6'
