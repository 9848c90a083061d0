// The caller's own reference for who asks: opaque, since the contract wants no personal data there.
import { value, wrong, type CellReading } from './reading.ts'

const EMAIL = /[^\s@<>"(),;:]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u
/** A plus that no word leads up to, and six digits or more with what people put between them. */
const PHONE = /(?<![\p{L}\p{N}])\+[\s(]*\d(?:[\s().\-/]*\d){5,}/u

/** Neither message repeats the cell: a fault ends up in logs that others read. */
export function readEndUserRef(text: string): CellReading<string> {
  const plain = text.normalize('NFKC')
  const what = EMAIL.test(plain) ? 'an e-mail address' : PHONE.test(plain) ? 'a phone number' : undefined
  return what === undefined
    ? value(text)
    : wrong(
        `end_user_ref holds ${what}, and no personal data may be sent there; write an opaque reference, such as user-17, or empty the cell`,
      )
}
