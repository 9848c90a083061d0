// The words around a request in English, German and French, as sources of patterns for any case.

export const GREETINGS = [
  'hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day)',
  'hallo|liebe[rs]?|moin|servus|gr(?:üß|uess) gott|guten (?:tag|morgen|abend)|sehr geehrte[rs]?',
  'bonjour|bonsoir|salut|ch[eè]re?s?|coucou',
].join('|')

const GERMAN_WISHES =
  '(?:(?:vielen )?dank(?:e)? und )?(?:mit )?' +
  '(?:freundliche[mn]?|beste[mn]?|viele[nr]?|liebe[mnr]?|sch[öo]ne[mn]?|herzliche[mnr]?)'

export const CLOSINGS = [
  '(?:(?:kind|best|warm|many|kindest|warmest) )?(?:regards|wishes)|best|cheers|br|kr',
  'sincerely|yours(?: (?:sincerely|truly))?|(?:many )?thanks(?: (?:a lot|in advance|again))?',
  'thank you(?: (?:very much|so much|in advance))?',
  `${GERMAN_WISHES} gr(?:ü|u|ue)(?:ß|ss)(?:en?)?(?: aus \\p{L}+)?`,
  'gr(?:ü|u|ue)(?:ß|ss)e?|mfg|vg|lg|(?:vielen |besten )?dank(?:e)?(?: (?:im voraus|schön|sehr))?',
  '(?:bien )?cordialement|(?:sincères |meilleures )?salutations|bonne journée|bien à vous',
  'merci(?: (?:d.avance|beaucoup))?',
].join('|')

/** These words, in lower case, are no name although they stand in its place with a capital. */
export const NOBODY: ReadonlySet<string> = new Set(
  `all everyone everybody team teams support desk helpdesk service it hr sir sirs madam there colleagues folks
  guys customer admin administrator office sales world thanks thank please can could how i my the what when
  why where who we is are do does did it's i'm this that a an our your if since after for to in on at no not
  and or also vpn outlook help as has have sorry mr mrs ms dr prof miss regards best cheers
  zusammen damen herren kollegen kolleginnen ich wir wie was wo wann warum mein meine der die das ein eine es
  kann können bitte danke herr frau leute alle lg vg mfg gruß grüße ihr ihre nach seit wenn leider
  mme mlle cordialement merci madame monsieur messieurs mesdames équipe tous toutes je mon ma mes comment où
  quand pourquoi le la les un une il pouvez est c'est pour dans s'il für`.split(/\s+/),
)
