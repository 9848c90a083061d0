// `index.d.ts`: the library's types written out, so that who uses it needs none of the packages that they are made of.
import { ts } from '@ts-morph/common'
import { docOf, isOptional, membersOf, ownName, type ProgramTypes } from './program-types.ts'

const NAMED_IN = 'src/domain/summary.ts'

/** `docsOf`: of a type of options, by the options' names: what is said of them. */
export function writeDeclarations(
  { checker, exportsOf }: ProgramTypes,
  entry: string,
  docsOf: (type: string) => ReadonlyMap<string, string>,
): string {
  const written = new Map<string, string>()
  const names = new Map<string, ts.Type>()
  // What schemas infer has no name of its own, but where it is given one.
  const given = new Map(
    [...exportsOf(entry), ...exportsOf(NAMED_IN)]
      .filter(([, symbol]) => symbol.flags & ts.SymbolFlags.TypeAlias)
      .map(([, symbol]) => [checker.getDeclaredTypeOfSymbol(symbol), symbol] as const),
  )

  const text = (type: ts.Type): string => {
    const name = given.get(type)?.name ?? ownName(type)
    if (name === undefined) return body(type)
    const known = names.get(name)
    // Two types of one name in different rooms: the second is written out where it stands.
    if (known !== undefined) return known === type ? name : body(type)
    names.set(name, type)
    written.set(name, '')
    const symbol = given.get(type) ?? type.aliasSymbol ?? type.symbol
    written.set(name, `${comment(docOf(symbol, checker), '')}${declare(name, type)}`)
    return name
  }

  const declare = (name: string, type: ts.Type): string => {
    const own = body(type, name.endsWith('Options') && exportsOf(entry).has(name) ? docsOf(name) : undefined)
    return !type.isUnion() && own.startsWith('{')
      ? `export interface ${name} ${own}`
      : `export type ${name} = ${own}`
  }

  const body = (type: ts.Type, options?: ReadonlyMap<string, string>): string => {
    if (type.isStringLiteral()) return `'${type.value}'`
    if (type.isNumberLiteral()) return String(type.value)
    if (type.isUnion()) {
      const { members, hasBoolean } = membersOf(type)
      const parts = [...(hasBoolean ? ['boolean'] : []), ...members.map(text)]
      const isCallable = (one: string): boolean => one.includes('=>')
      return parts.map((one) => (isCallable(one) && parts.length > 1 ? `(${one})` : one)).join(' | ')
    }
    if (checker.isTupleType(type))
      return `readonly [${checker
        .getTypeArguments(type as ts.TypeReference)
        .map(text)
        .join(', ')}]`
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      const inner = item === undefined ? 'unknown' : text(item)
      const isMany = item !== undefined && (item.isUnion() || item.getCallSignatures().length > 0)
      return `readonly ${isMany && !/^\w+$/.test(inner) ? `(${inner})` : inner}[]`
    }
    const [call] = type.getCallSignatures()
    if (call !== undefined) return `(${parameters(call)}) => ${text(call.getReturnType())}`
    if (type.flags & ts.TypeFlags.Object && type.symbol?.name !== 'Promise') return object(type, options)
    if (type.symbol?.name === 'Promise')
      return `Promise<${checker
        .getTypeArguments(type as ts.TypeReference)
        .map(text)
        .join(', ')}>`
    return checker.typeToString(type)
  }

  const object = (type: ts.Type, options?: ReadonlyMap<string, string>): string => {
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String)
    if (index !== undefined) return `{ readonly [name: string]: ${text(index.type)} }`
    const lines = checker.getPropertiesOfType(type).map((property) => {
      const said = docOf(property, checker) || (options?.get(property.name) ?? '')
      return `${comment(said)}${member(property)}`
    })
    return lines.length === 0 ? '{}' : `{\n${indent(lines.join('\n'))}\n}`
  }

  const member = (property: ts.Symbol): string => {
    const type = checker.getTypeOfSymbol(property)
    const [call] = property.flags & ts.SymbolFlags.Method ? type.getCallSignatures() : []
    if (call !== undefined) return `${property.name}(${parameters(call)}): ${text(call.getReturnType())}`
    const isKept = isOptional(property) || (type.isUnion() && type.types.some(isUndefined))
    const name = /^\w+$/.test(property.name) ? property.name : `'${property.name}'`
    const own = text(type)
    // Without parentheses undefined would be one of what the function returns.
    const isFunction =
      isKept && own.startsWith('(') && checker.getNonNullableType(type).getCallSignatures().length > 0
    const whole = isKept ? `${isFunction ? `(${own})` : own} | undefined` : own
    return `readonly ${name}${isOptional(property) ? '?' : ''}: ${whole}`
  }

  const parameters = (call: ts.Signature): string =>
    call
      .getParameters()
      .map((one) => `${one.name.replaceAll(/\W/g, '') || 'options'}: ${text(checker.getTypeOfSymbol(one))}`)
      .join(', ')

  const functions: string[] = []
  for (const [name, symbol] of exportsOf(entry)) {
    const said = comment(docOf(symbol, checker), '')
    if (symbol.flags & ts.SymbolFlags.Class)
      functions.push(
        `${said}export declare class ${name} extends Error {\n  override readonly name: '${name}'\n}`,
      )
    else if (symbol.flags & ts.SymbolFlags.Function) {
      const [call] = checker.getTypeOfSymbol(symbol).getCallSignatures()
      if (call === undefined) throw new Error(`${name} cannot be called`)
      // A parameter that is taken apart has no name of its own.
      const [options] = call.getParameters()
      const type = options === undefined ? '' : text(checker.getTypeOfSymbol(options))
      functions.push(
        `${said}export declare function ${name}(options: ${type}): ${text(call.getReturnType())}`,
      )
    } else text(checker.getDeclaredTypeOfSymbol(symbol))
  }
  return `${[...functions, ...written.values()].join('\n\n')}\n`
}

const isUndefined = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Undefined) !== 0

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

const comment = (said: string, otherwise = ''): string =>
  said === '' ? otherwise : `/** ${said.replaceAll('*/', '* /').replaceAll(/\s*\n\s*/g, ' ')} */\n`
