// The column that says who speaks, as in a chat log: whose rows are questions, and which are left out.
import { digits } from '../domain/format.ts'
import { columnKey } from './columns.ts'
import { excerptList, type FileMessages } from './messages.ts'

const list = (words: string): string[] => words.split(',').map((word) => word.trim())
const [PEOPLE, ASSISTANT] = [
  list(
    `user,end user,customer,contact,lead,human,visitor,requester,me,inbound,Kunde,
    client,person,guest,requestor,reporter,caller,consumer,buyer,shopper,member,subscriber,incoming,received,in,
    Kundin,Benutzer,Benutzerin,Nutzer,Nutzerin,Anwender,Anwenderin,Besucher,Besucherin,Gast,Melder,
    Anfragesteller,Anfragende,Antragsteller,Interessent,Mensch,eingehend,Eingang,empfangen,
    cliente,utilisateur,utilisatrice,usager,visiteur,visiteuse,demandeur,demandeuse,entrant,entrante,reçu,humain,
    usuario,usuaria,visitante,solicitante,recibido,humano`,
  ),
  list(
    `assistant,bot,agent,admin,staff,ai,system,outbound,Mitarbeiter,
    chatbot,support,operator,representative,rep,advisor,technician,team,teammate,helpdesk,service desk,
    customer service,customer support,customer care,user support,model,automation,workflow,auto reply,
    internal,note,outgoing,sent,out,
    Mitarbeiterin,Agentin,Bearbeiter,Bearbeiterin,Sachbearbeiter,Sachbearbeiterin,Berater,Beraterin,
    Kundenberater,Kundenservice,Kundendienst,Betreuer,Techniker,Assistent,Assistentin,KI,ausgehend,Ausgang,gesendet,
    agente,conseiller,conseillère,assistante,opérateur,robot,système,technicien,IA,sortant,sortante,envoyé,
    asesor,asesora,asistente,operador,sistema,soporte,técnico,saliente,enviado`,
  ),
]
/** Other names than those of a set; the column is one of roles where both are among its cells. */
const HEADERS = list(
  `role,sender,author,speaker,author type,sender type,direction,Rolle,
  user type,participant type,participant,actor,author role,sender role,message type,message direction,from,
  from type,sent by,posted by,von,Absender,Absendertyp,Autor,Autorentyp,Verfasser,Sprecher,Richtung,
  de,auteur,type d'auteur,rôle,expéditeur,type d'expéditeur,sens,émetteur,
  rol,tipo de autor,remitente,tipo de remitente,dirección,emisor`,
)

const plain = (word: string): string => columnKey(word).normalize('NFD').replaceAll(/\p{M}/gu, '')
const SPEAKERS = new Map([
  ...PEOPLE.map((word) => [plain(word), 'person'] as const),
  ...ASSISTANT.map((word) => [plain(word), 'assistant'] as const),
])
const ROLE_HEADERS = new Set(HEADERS.map(plain))

/** Tells who speaks in a row; undefined for a value that is neither, or both. */
export function speakerOf(role: string): 'person' | 'assistant' | undefined {
  const known = SPEAKERS.get(plain(role))
  if (known !== undefined) return known
  const words = role.split(/[^\p{L}\p{M}]+/u).flatMap((word) => SPEAKERS.get(plain(word)) ?? [])
  return new Set(words).size === 1 && role.length <= MAX_ROLE ? words[0] : undefined
}

/** A longer text is none. */
const MAX_ROLE = 40

/** Finds the column that says who speaks; -1 if there is none. A column of authors may hold names instead. */
export const findRole = (header: readonly string[], sample: readonly (readonly string[])[]): number =>
  header.findIndex((name, index) => {
    const speakers = new Set(sample.map((row) => speakerOf(row[index] ?? '')))
    return ROLE_HEADERS.has(plain(name)) && speakers.has('assistant') && speakers.has('person')
  })

/** The cells of a column are roles if the assistant's and a person's are among them. */
export function areRoles(cells: readonly string[]): boolean {
  const speakers = new Set(cells.map(speakerOf))
  return !speakers.has(undefined) && speakers.size === 2
}

/** The `header` is as written in the file. */
export function createRoleReader(header: string, { fail, warn }: FileMessages) {
  const values = new Map<string, number>()
  let leftOut = 0
  return {
    /** A row with an unknown role is no question, and the file is faulty. */
    isQuestion: (role: string, line: number): boolean => {
      const speaker = speakerOf(role)
      if (speaker === 'assistant') leftOut += 1
      if (!values.has(role)) values.set(role, line)
      return speaker === 'person'
    },
    hasLeftOut: (): boolean => leftOut > 0,
    report: (): void => {
      if (leftOut > 0) warn({ message: `rows of the assistant that were left out: ${digits(leftOut)}` })
      const unknown = [...values].filter(([role]) => speakerOf(role) === undefined)
      const [first] = unknown
      if (first === undefined) return
      const message =
        `the column "${header}" says who speaks, and ${excerptList(unknown.map(([role]) => role))} is nobody ` +
        `known (its values: ${excerptList([...values.keys()])}); a person's row has user, customer, visitor or ` +
        "the like, the assistant's agent, bot, system or the like; correct the cells, or rename the column"
      fail({ line: first[1], message })
    },
  }
}
