// A text's function words tell its language, and none tells its topic.

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

/**
 * `grammar` words are rare in other languages, so they tell the language. `frame` words frame any question.
 */
export const FUNCTION_WORDS = {
  en: {
    grammar: list(`
      the of and to is are was were it that this these those for with on at by from have has had do does did
      be been not you your my our they their what which who how when where why can could would should will
      there if but or as an i we he she its into than then so any some no about after before am me him her
      us them myself yourself don't doesn't didn't can't cannot i'm i'd i've i'll it's isn't aren't won't
      what's how's there's that's shall may might must being because while until up down out over under
      again whether too very just also only own same such each both other another through within without
      whom whose
    `),
    frame: list(`
      a ask best easiest easy easily fast find fine get gets getting give go goes going good got happen
      happens hello help hey hi idea kind know let like likely long look looking make makes making many mean
      means method much need needs new often ok one ones option options perhaps please possible possibly
      procedure question quick quickly really right simple simply solution somehow somebody someone
      something somewhere sort suggest sure tell thank thanks thing things think tried try trying use used
      using usually want wants way ways well wonder wondering work works yes yet able anybody anyone
      anything anyway around all every everything everyone everybody recommend recommended wanted wish now
      already always ever never instead more most less least few lot lots still else actually currently back
      in nor off onto per toward towards upon via against although among away below between don done during
      either enough further having here hers herself himself his however itself maybe mine neither next
      nobody none nope nothing oh okay once others otherwise ought ours ourselves quite rather since
      sometimes soon theirs themselves though till whatever whenever wherever whoever yours aren couldn didn
      doesn doing hadn hasn haven isn shouldn wasn weren wouldn ll arent cant couldnt didnt doesnt dont gone
      hasnt havent isnt ive keep made offer re shouldnt take thats theres ve wasnt werent whats wont working
      wouldnt
    `),
  },
  de: {
    grammar: list(`
      der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren bin bist
      wird werden wurde ich du er sie es wir ihr mich mir dich dir sich uns euch mein meine meinen meinem
      meiner dein deine sein seine ihre ihren ihrem ihrer unser unsere nicht kein keine keinen mit von zu
      zum zur bei beim auf aus für über unter nach vor durch gegen ohne um am im ins an wie wo wann warum
      wer was welche welcher welches wenn dass weil ob als auch noch nur schon sehr so dann denn doch man
      kann können kannst könnte muss müssen soll sollte sollen darf dürfen will möchte hat habe haben hatte
      gibt dieser diese dieses diesem diesen jeder jede jedes alle vom bis hier da
    `),
    frame: list(`
      bekomme bekommen bekommt besser bitte brauche brauchen danke einfach finde finden funktioniert gehen
      geht genau gerade gern gerne guten hallo hilfe irgendwie jemand jetzt kriege lassen lässt machen mache
      macht mehr möglich möglichkeit nichts sagen schnell tun viel viele weg wieder wissen würde würden
      immer etwas ab allem allen aller alles andere anderen anderer anderes bereits dabei dafür damit daran
      dazu dies dort euer eure ihm ihn ihnen ja könnt nein nun oft sonst unseren unserer wegen welchem
      welchen werde woher wohin wurden zwischen
    `),
  },
  fr: {
    grammar: list(`
      le la les des un une du est sont et ou dans pour avec sur pas je vous nous mon ma mes que qui comment où
      quand puis peut au aux ce cette il elle combien pourquoi quoi dois peux suis vais
      à par tous tout toute toutes votre vos notre nos leur leurs avez avons ont être été sera sans sous après
      avant pendant depuis dès aussi c'est n'est ils elles on
    `),
    frame: list(`
      de d l n s c j m t qu y en se sa ses son ton ta tes ne s'il d'un d'une l'on qu'il qu'elle jusqu'à plus
      moins très ainsi donc car si sinon alors seront soit avoir a peuvent pouvez faut doit doivent fait faire
      faites chaque même autre autres quel quelle quels quelles dont comme entre vers chez lors ici là tu te
      lui eux cet ces celui celle ceux rien jamais toujours bien encore déjà voici voilà merci bonjour oui non
      seulement environ lorsque afin mais ai va sommes étais était devons pouvons quelque moi toi ça
      cela ceci
    `),
  },
  es: {
    grammar: list(`
      el la los las un una del es son y en para con por no mi mis que como cómo dónde cuándo puedo se su al lo
      este esta yo hay qué quién cuál cuánto cuánta cuántos cuántas tengo debo estoy
      sin sobre entre hasta desde cada todo toda todos todas está están ser será puede pueden debe deben tiene
      tienen pero porque también más cuando sí nos
    `),
    frame: list(`
      de a o u e sus tu tus le les ha han he fue era estar si muy menos ya hacia otro otra otros otras mismo
      misma estos estas ese esa eso esos esas aquel ello ellos ellas él usted ustedes tener hacer hace donde
      cual cuales quien ni nunca siempre sólo solo así después antes durante mientras aquí allí hola gracias
      además unos unas ante bajo según tras algo nada te esto soy eres somos estamos podemos tenemos hago
      cuanto cuanta cuantos cuantas
    `),
  },
  it: {
    grammar: list(`
      il lo la gli della del di un una e è sono per con non mi mio mia che come dove quando posso nel alla si
      questo
    `),
    frame: [],
  },
  nl: {
    grammar: list(`
      het een van en is zijn op voor met niet ik mijn hoe waar wanneer kan ook naar bij dat deze wat wij je
      jij
    `),
    frame: [],
  },
  pt: {
    grammar: list(`
      os uma do da das é são e em para com não meu minha que como onde quando posso no na por
    `),
    frame: [],
  },
  sv: {
    grammar: list(`
      och att det en ett är som på för med inte jag min mitt hur var när kan till av om den
    `),
    frame: [],
  },
  pl: {
    grammar: list(`
      i w na nie się z do jest jak gdzie kiedy czy mogę mój moje to co dla od po za
    `),
    frame: [],
  },
} as const

export type Language = keyof typeof FUNCTION_WORDS

export const LANGUAGES = Object.keys(FUNCTION_WORDS) as Language[]
