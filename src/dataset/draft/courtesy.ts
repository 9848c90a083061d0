// The words around a request in English, German and French: greetings, closings, and whom they name that is
// nobody in particular. Sources of patterns, to be matched in any case.

export const GREETINGS =
  'hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings|hallo|liebe[rs]?|moin|servus|gr(?:üß|uess) gott' +
  '|guten (?:tag|morgen|abend)|sehr geehrte[rs]?|bonjour|bonsoir|salut|ch[eè]re?s?|coucou'

export const CLOSINGS =
  '(?:(?:kind|best|warm|many|kindest|warmest) )?(?:regards|wishes)|best|cheers|sincerely|yours(?: (?:sincerely|truly))?' +
  '|(?:many )?thanks(?: (?:a lot|in advance|again))?|thank you(?: (?:very much|so much|in advance))?' +
  '|(?:mit )?(?:freundliche[mn]?|beste[mn]?|viele[nr]?|liebe[mnr]?|sch[öo]ne[mn]?|herzliche[mnr]?) gr(?:ü|u|ue)(?:ß|ss)(?:en?)?(?: aus \\p{L}+)?' +
  '|gr(?:ü|u|ue)(?:ß|ss)e?|mfg|vg|lg|br|kr|(?:vielen |besten )?dank(?:e)?(?: (?:im voraus|schön|sehr))?' +
  '|(?:bien )?cordialement|(?:sincères |meilleures )?salutations|merci(?: (?:d.avance|beaucoup))?|bonne journée' +
  '|bien à vous'

/** First words, in lower case, that are no name although they stand in its place with a capital. */
export const NOBODY: ReadonlySet<string> = new Set(
  `all everyone everybody team teams support desk helpdesk service it hr sir madam there colleagues folks guys
  customer admin administrator office sales world thanks thank please can could how i my the what when why where
  who we is are do does did it it's i'm this that a an our your if since after for to in on at no not and or also
  vpn outlook help as has have sorry mr mrs ms dr prof miss regards best cheers
  zusammen team damen herren kollegen kolleginnen support ich wir wie was wo wann warum mein meine der die das ein
  eine es kann können bitte danke herr frau leute alle lg vg mfg gruß grüße ihr ihre für nach seit wenn leider
  mme mlle cordialement merci madame monsieur messieurs mesdames équipe tous toutes je mon ma mes comment où quand pourquoi le la les un une
  il pouvez est c'est pour dans s'il`.split(/\s+/),
)
