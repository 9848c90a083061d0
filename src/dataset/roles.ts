// The column that says who speaks, as in a chat log: whose rows are questions, and which are left out.
import { columnKey, plainKey as plain } from './columns.ts'
import { excerptList, type FileMessages } from './messages.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(',').map(plain))

const PEOPLE = setOf(`
  user,end user,customer,contact,lead,human,visitor,requester,me,inbound,Kunde,client,person,guest,
  requestor,reporter,caller,consumer,buyer,shopper,member,subscriber,incoming,received,in,Kundin,Benutzer,
  Benutzerin,Nutzer,Nutzerin,Anwender,Anwenderin,Besucher,Besucherin,Gast,Melder,Anfragesteller,
  Anfragende,Antragsteller,Interessent,Mensch,eingehend,Eingang,empfangen,cliente,utilisateur,
  utilisatrice,usager,visiteur,visiteuse,demandeur,demandeuse,entrant,entrante,reçu,humain,usuario,
  usuaria,visitante,solicitante,recibido,humano`)
const ASSISTANT = setOf(`
  assistant,bot,agent,admin,staff,ai,system,outbound,Mitarbeiter,chatbot,support,operator,representative,
  rep,advisor,technician,team,teammate,helpdesk,service desk,customer service,customer support,
  customer care,user support,model,automation,workflow,trigger,assignee,auto reply,internal,note,outgoing,
  sent,out,Mitarbeiterin,Agentin,Bearbeiter,Bearbeiterin,Sachbearbeiter,Sachbearbeiterin,Berater,
  Beraterin,Kundenberater,Kundenservice,Kundendienst,Betreuer,Techniker,Assistent,Assistentin,KI,
  ausgehend,Ausgang,gesendet,agente,conseiller,conseillère,assistante,opérateur,robot,système,technicien,
  IA,sortant,sortante,envoyé,asesor,asesora,asistente,operador,sistema,soporte,técnico,saliente,enviado`)
/** A column of such a name holds roles where one of them is known. */
const HEADERS = setOf(`
  role,author type,sender type,direction,Rolle,user type,participant type,author role,sender role,
  message direction,from type,Absendertyp,Autorentyp,Richtung,rôle,type d'auteur,type d'expéditeur,sens,
  rol,tipo de autor,tipo de remitente,dirección`)
/** These mostly hold names of people: a person's and an assistant's role must be among them. */
const HEADERS_OF_NAMES = setOf(`
  sender,author,speaker,participant,actor,from,sent by,posted by,message type,type,von,Absender,Autor,
  Verfasser,Sprecher,de,auteur,expéditeur,émetteur,remitente,emisor`)

const knownSpeaker = (word: string) =>
  PEOPLE.has(plain(word)) ? 'person' : ASSISTANT.has(plain(word)) ? 'assistant' : undefined

/** Tells who speaks in a row; undefined for a value that is neither, or both. */
function speakerOf(role: string): 'person' | 'assistant' | undefined {
  const known = knownSpeaker(role)
  if (known !== undefined) return known
  const words = role.split(/[^\p{L}\p{M}]+/u).flatMap((word) => knownSpeaker(word) ?? [])
  return new Set(words).size === 1 && role.length <= MAX_ROLE ? words[0] : undefined
}

/** A longer text is none. */
const MAX_ROLE = 40

/** Finds the column that says who speaks; -1 if there is none. */
export function findRole(header: readonly string[], sample: readonly (readonly string[])[]): number {
  const role = header.findIndex((name) => columnKey(name) === 'role')
  if (role !== -1) return role
  return header.findIndex((name, index) => {
    const speakers = new Set(sample.flatMap((row) => speakerOf(row[index] ?? '') ?? []))
    return speakers.size >= (HEADERS.has(plain(name)) ? 1 : HEADERS_OF_NAMES.has(plain(name)) ? 2 : 3)
  })
}

/** The `header` is as written in the file. */
export function createRoleReader(header: string, { fail }: FileMessages) {
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
    leftOut: (): number => leftOut,
    reportUnknown: (): void => {
      const unknown = [...values].filter(([role]) => speakerOf(role) === undefined)
      const [first] = unknown
      if (first === undefined) return
      const message =
        `the column "${header}" says who speaks, and ${excerptList(unknown.map(([role]) => role))} ` +
        `is nobody known (its values: ${excerptList([...values.keys()])}); a person's row has user, ` +
        "customer, visitor or the like, the assistant's agent, bot, system or the like; correct the cells, " +
        'or rename the column'
      fail({ line: first[1], message })
    },
  }
}
