// The terms of a question. Forms of one word ("password", "passwords") share a key.
import { stemmer } from 'stemmer'
import { foldText } from '../../domain/fold-text.ts'
import { isUnspaced, signPairs } from '../../domain/text.ts'

export interface Term {
  /** The same for "password" and "passwords". */
  readonly key: string
  readonly surface: string
}

/** Characters that show the topic of a question: in a pasted mail, the question stands at its top. */
const MAX_LENGTH = 600
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu
const HIRAGANA_ONLY = /^\p{sc=Hiragana}+$/u

/** In order, with repetitions. Leaves out stop words, single letters and numbers of one or two digits. */
export function topicTerms(text: string): Term[] {
  const words = text.slice(0, MAX_LENGTH).match(WORD) ?? []
  const plain = words
    .flatMap((word) => (isUnspaced(word) ? signPairs(word) : [word]))
    .map((surface) => ({ surface, word: foldText(surface).replaceAll("'", '') }))
  const isEnglish = plain.every(({ word }) => !GERMAN_ONLY.has(word) && /^\p{ASCII}*$/u.test(word))
  return plain
    .filter(({ word }) => isContentWord(word))
    .map(({ surface, word }) => ({ key: keyOf(word, isEnglish), surface }))
}

export const termKeys = (text: string): string[] => topicTerms(text).map(({ key }) => key)

function isContentWord(word: string): boolean {
  if (STOP_WORDS.has(word) || /^\d{1,2}$/.test(word)) return false
  // Japanese writes its grammar in hiragana.
  return isUnspaced(word) ? !HIRAGANA_ONLY.test(word) : /[\p{L}\p{N}]{2}/u.test(word)
}

/**
 * English: the stem (Porter). No stemmer serves all other languages, so they get the first five letters
 * without accents, which works nearly as well (Can et al. 2008, "Information Retrieval on Turkish Texts").
 */
function keyOf(word: string, isEnglish: boolean): string {
  if (isUnspaced(word)) return word
  return isEnglish ? stemmer(word) : word.normalize('NFD').replaceAll(/\p{M}/gu, '').slice(0, 5)
}

const splitWords = (words: string): string[] => words.trim().split(/\s+/)

const ENGLISH = splitWords(`
  a about actually after company good long much offer recommend again all already also always am an and
  another any anybody anyone anything are arent around as ask at away be because been before being below but
  by can cannot cant could couldnt did didnt do does doesnt doing done dont each either else ever every
  everyone everything few find for from get gets getting give go goes going gone got had has hasnt have
  havent having he hello help her here hers hey hi him his how however i id if ill im in instead into is
  isnt it its itself ive just keep know let like ll made make makes many may maybe me might mine more most
  much must my myself need needs never new no nobody none nor not nothing now of off ok okay old on once one
  ones only onto or other our ours out over own per perhaps please possible quite rather re really right s
  same see shall she should shouldnt since so some somebody someone something sometimes somewhere soon still
  such sure t take tell than thank thanks that thats the their theirs them then there theres these they
  thing things think this those though through till to too try trying under until up upon us use used using
  ve very via want wants was wasnt way we well were werent what whats when whenever where wherever whether
  which while who whoever whom whose why will with within without wont work working works would wouldnt yes
  yet you your yours yourself
`)

const GERMAN = splitWords(`
  ab aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim
  bekomme bekommen bekommt bereits besser bin bis bist bitte brauche brauchen da dabei dafür damit dann
  daran darf das dass dazu dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses
  dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure finde finden für gehen
  geht gerade gern gibt haben habe hallo hat hatte hier hilfe ich ihm ihn ihnen ihr ihre ihren immer im in
  ins irgendwie ist ja jemand jetzt kann kannst kein keine keinen können könnt könnte machen macht man mehr
  mein meine meinem meinen meiner mich mir mit möchte muss müssen nach nein nicht nichts noch nun nur oder
  oft ohne schon sehr sein seine sich sie sind so soll sollen sollte sonst um und uns unser unsere unseren
  unserer unter viel viele vom von vor wann war waren warum was weg wegen welche welchem welchen welcher
  welches wenn wer werde werden wie wieder will wir wird wo woher wohin wurde wurden würde zu zum zur
  zwischen
`)

const STOP_WORDS: ReadonlySet<string> = new Set([...ENGLISH, ...GERMAN])
/** German stop words that are not also English ones. */
const GERMAN_ONLY: ReadonlySet<string> = new Set(GERMAN.filter((word) => !ENGLISH.includes(word)))
