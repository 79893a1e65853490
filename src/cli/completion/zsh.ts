import {flagsOf} from '../args.ts';
import {commands} from '../commands.ts';
import {
  type Choice,
  choiceOf,
  commandWords,
  flagPlaces,
  operandPlaces,
  quote,
  sitesPipeline,
  valueFlagPattern,
} from './shell-words.ts';

/** `name:what it is`, as `_describe` reads it; colons of the name are escaped, and names have none. */
const described = (name: string, help: string): string => quote(`${name}:${help}`);

const complete = (choice: Choice): string => {
  switch (choice.kind) {
    case 'words':
      return `compadd -- ${choice.words.join(' ')}`;
    case 'sites':
      return `compadd -- \${(f)"$(_branchlog_sites)"}`;
    case 'files':
      return '_files';
    default:
      return choice satisfies never;
  }
};

const valueCases = (): readonly string[] =>
  flagPlaces.map(({word, name, choice}) => `    ${word}:--${name}) ${complete(choice)}; return ;;`);

const flagCases = (): readonly string[] =>
  commands.map(command => {
    const flags = flagsOf(command).map(({name, help}) => described(`--${name}`, help));
    return `      '${command.word ?? ''}') choices=(${flags.join(' ')}) ;;`;
  });

const operandCases = (): readonly string[] =>
  operandPlaces.flatMap(({word, index, operand}) => {
    const choice = choiceOf(operand);
    if (word === '' && index === 0) {
      const words = commands.flatMap(command => (command.word ? [described(command.word, command.summary)] : []));
      return [`    :0) choices=(${words.join(' ')}); _describe 'command' choices; ${complete({kind: 'sites'})} ;;`];
    }
    return choice ? [`    ${word}:${index}) ${complete(choice)} ;;`] : [];
  });

/** A completion script for zsh, to be put into a folder of `fpath` as `_branchlog`, or sourced after \`compinit\`. */
export const formatZshCompletion = (): string => `#compdef branchlog
# zsh completion of branchlog: branchlog completion zsh > "\${fpath[1]}/_branchlog"
_branchlog_sites() {
  ${sitesPipeline}
}
_branchlog() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} command='' word
  local -i count=0 i
  local -a choices
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      (${valueFlagPattern}) ((i += 1)) ;;
      (-*) ;;
      (${commandWords.join('|')}) if [[ -z $command && $count -eq 0 ]]; then command=$word; else ((count += 1)); fi ;;
      (*) ((count += 1)) ;;
    esac
  done
  case $command:$prev in
${valueCases().join('\n')}
    *:(${valueFlagPattern})) return ;;
  esac
  if [[ $cur == -* ]]; then
    case $command in
${flagCases().join('\n')}
    esac
    _describe 'flag' choices
    return
  fi
  case $command:$count in
${operandCases().join('\n')}
  esac
}
if [[ $funcstack[1] == _branchlog ]]; then
  _branchlog "$@"
else
  compdef _branchlog branchlog
fi
`;
