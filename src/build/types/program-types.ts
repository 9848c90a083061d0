// The types of the program, read by a compiler: what declarations and schemas are written from.
import { getLibFiles, ts } from '@ts-morph/common'

export interface ProgramTypes {
  readonly checker: ts.TypeChecker
  /** What a file of `src` exports, by name. */
  readonly exportsOf: (file: string) => ReadonlyMap<string, ts.Symbol>
}

/** `root` ends with a slash; `files`: below it. Types are read, not checked. */
export function readTypes(root: string, files: readonly string[]): ProgramTypes {
  const config = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const program = ts.createProgram(
    files.map((file) => root + file),
    options,
    hostWithLibraries(options),
  )
  const checker = program.getTypeChecker()
  return {
    checker,
    exportsOf: (file) => {
      const source = program.getSourceFile(root + file)
      const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
      if (module === undefined) throw new Error(`${file} exports nothing`)
      const exported = checker.getExportsOfModule(module)
      return new Map(
        exported.map((symbol) => [
          symbol.name,
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        ]),
      )
    },
  }
}

/** The compiler brings the language's own declarations as texts, not as files. */
function hostWithLibraries(options: ts.CompilerOptions): ts.CompilerHost {
  const libraries = new Map(getLibFiles().map(({ fileName, text }) => [`/lib/${fileName}`, text]))
  const host = ts.createCompilerHost(options)
  return {
    ...host,
    getDefaultLibLocation: () => '/lib',
    getDefaultLibFileName: (given) => `/lib/${ts.getDefaultLibFileName(given)}`,
    fileExists: (path) => libraries.has(path) || host.fileExists(path),
    readFile: (path) => libraries.get(path) ?? host.readFile(path),
    getSourceFile: (path, ...more) => {
      const text = libraries.get(path)
      return text === undefined
        ? host.getSourceFile(path, ...more)
        : ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
    },
  }
}

/** What stands above a property or a type, as one text; empty where nothing does. */
export const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()

/** The name under which a type of our own is known; undefined for what has none, or none of ours. */
export function ownName(type: ts.Type): string | undefined {
  const symbol =
    type.aliasSymbol ??
    (type.symbol !== undefined && type.symbol.flags & ts.SymbolFlags.Interface ? type.symbol : undefined)
  if (symbol === undefined || (type.aliasTypeArguments?.length ?? 0) > 0) return undefined
  const isOurs = symbol.declarations?.some(
    (one) => /\/src\/(?!.*node_modules)/.test(one.getSourceFile().fileName) && isTopLevel(one),
  )
  return isOurs === true ? symbol.name : undefined
}

const isTopLevel = (declaration: ts.Declaration): boolean => ts.isSourceFile(declaration.parent)

/** The members of a union but `undefined`, with `true` and `false` together as one. */
export function membersOf(type: ts.UnionType): { readonly members: ts.Type[]; readonly hasBoolean: boolean } {
  const isBoolean = (one: ts.Type): boolean => (one.flags & ts.TypeFlags.BooleanLiteral) !== 0
  const members = type.types.filter((one) => !(one.flags & ts.TypeFlags.Undefined))
  const hasBoolean = members.filter(isBoolean).length === 2
  return { members: hasBoolean ? members.filter((one) => !isBoolean(one)) : members, hasBoolean }
}

export const isOptional = (property: ts.Symbol): boolean => (property.flags & ts.SymbolFlags.Optional) !== 0
