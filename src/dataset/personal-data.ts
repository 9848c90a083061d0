// Finds personal data: the endpoint's contract wants none in `endUserRef`, and a question should hold none.

const EMAIL = /[^\s@<>"(),;:]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+/u
/** A plus that does not follow a letter or digit, then six or more digits with the usual separators. */
const INTERNATIONAL_PHONE = /(?<![\p{L}\p{N}])\+[\s(]*\d(?:[\s().\-/]*\d){5,}/u
/** 0151 23456789, (020) 7946 0958, 555-123-4567. */
const NATIONAL_PHONE =
  /(?<![\p{L}\p{N}.,/-]|\p{N} )(?:\(?0\d{1,5}\)?[\s/-]{0,3}\d(?:[\s-]?\d){5,9}|\(?[2-9]\d\d\)?[-. ]\d{3}[-. ]\d{4})(?![\p{L}\p{N}]|[.,:/-]\p{N})/u
const CARD = /(?<![\p{L}\p{N}])\d(?:[ -]?\d){12,18}(?![\p{L}\p{N}])/gu
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\p{N}])/giu

export const hasEmail = (text: string): boolean => EMAIL.test(text.normalize('NFKC'))

export const hasInternationalPhone = (text: string): boolean =>
  INTERNATIONAL_PHONE.test(text.normalize('NFKC'))

/** The kinds of personal data in a text. */
export function findPersonalData(text: string): string[] {
  const plain = text.normalize('NFKC')
  const cards = plain.match(CARD)?.some((number) => isLuhn(number.replaceAll(/\D/g, '')))
  const accounts = plain.match(IBAN)?.some(isIban)
  const isPhone = cards !== true && accounts !== true && NATIONAL_PHONE.test(plain)
  return [
    ...(hasEmail(text) ? ['e-mail address'] : []),
    ...(hasInternationalPhone(text) || isPhone ? ['telephone number'] : []),
    ...(cards === true ? ['card number'] : []),
    ...(accounts === true ? ['account number'] : []),
  ]
}

/** The check digit of card numbers (ISO/IEC 7812-1): every second digit counts double, less 9 above 9. */
function isLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0)
  return sum > 0 && sum % 10 === 0
}

/**
 * The check digits of account numbers (ISO 13616): the first four signs last, letters as 10 to 35, modulo 97.
 */
function isIban(text: string): boolean {
  const iban = text.replaceAll(' ', '').toUpperCase()
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  )
  return Array.from(digits, Number).reduce((rest, digit) => (rest * 10 + digit) % 97, 0) === 1
}
