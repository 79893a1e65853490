/** Makes the lists of docs/library.md from the declarations that the build wrote, and from the kinds of errors. */

const exportPattern = /export (?<type>type )?\{(?<list>[^}]*)\}/g;

type Exported = {readonly name: string; readonly declared: string; readonly isType: boolean};

/** Returns what an entry point exports, by its declarations. */
const exportsOf = (entry: string): readonly Exported[] =>
  [...entry.matchAll(exportPattern)]
    .flatMap(({groups}) =>
      (groups?.list ?? '')
        .split(',')
        .map(each => each.trim())
        .filter(each => each !== '')
        .map(each => {
          const [declared = '', name = declared] = each.replace(/^type /, '').split(' as ');
          return {name, declared, isType: groups?.type !== undefined || each.startsWith('type ')};
        }),
    )
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));

/** The first sentence of a docstring, on one line. */
const firstSentence = (comment: string): string => {
  const text = comment.replaceAll(/^\s*(?:\/\*\*|\*\/|\*)|\*\/\s*$/gm, '').replaceAll(/\s+/g, ' ');
  return /^.*?\.(?= |$)/.exec(text.trim())?.[0] ?? text.trim();
};

const signatureOf = ({name, declared}: Exported, types: string): string => {
  const found = new RegExp(
    String.raw`^(?<comment>/\*\*(?:(?!\*/)[\s\S])*\*/\n)?(?:export )?declare (?<what>class ${declared}\b[\s\S]*?^\}\n|(?:const|function) ${declared}\b[\s\S]*?;\n(?![\s}]))`,
    'm',
  ).exec(types);
  const {comment = '', what = ''} = found?.groups ?? {};
  if (what === '') {
    throw new Error(`no declaration of ${declared}`);
  }
  const bare = what
    .trimEnd()
    .replace(/\b(const|class|function) \w+/, `$1 ${name}`)
    .replaceAll(/^ +#private;\n/gm, '')
    .replaceAll(/^ +\/\*\*.*\*\/\n/gm, '')
    .replaceAll(/^( {4})+/gm, spaces => ' '.repeat(spaces.length / 2));
  return `// ${firstSentence(comment)}\n${bare}`;
};

/** Returns the section of an entry point: the signatures of what it exports, and the names of its types. */
export const formatSignatures = (entry: string, types: string): string => {
  const exported = exportsOf(entry);
  const values = exported
    .filter(({isType}) => !isType)
    .map(each =>
      exported.reduce(
        (text, {name, declared}) => text.replaceAll(new RegExp(`\\b${declared}\\b`, 'g'), name),
        signatureOf(each, types),
      ),
    );
  const names = exported.filter(({isType}) => isType).map(({name}) => `\`${name}\``);
  return `\`\`\`typescript\n${values.join('\n\n')}\n\`\`\`\n\nTypes: ${names.join(', ')}.`;
};

/** Returns the kinds of `ApiError`, with the comments that its source has. */
export const formatErrorKinds = (source: string): string => {
  const rows = [...source.matchAll(/\/\*\* (?<what>.*) \*\/\n {2}'(?<kind>\w+)',/g)].map(
    ({groups: {what, kind} = {}}) => `| \`${kind}\` | ${what} |`,
  );
  return ['| kind | when |', '| --- | --- |', ...rows].join('\n');
};
