import {flagsOf} from '../args.ts';
import {commands} from '../commands.ts';
import {
  type Choice,
  choiceOf,
  commandWords,
  flagPlaces,
  operandPlaces,
  sitesPipeline,
  valueFlagPattern,
} from './shell-words.ts';

const complete = (choice: Choice): string => {
  switch (choice.kind) {
    case 'words':
      return `COMPREPLY=($(compgen -W '${choice.words.join(' ')}' -- "$cur"))`;
    case 'sites':
      return 'COMPREPLY=($(compgen -W "$(_branchlog_sites)" -- "$cur"))';
    case 'files':
      return 'compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur"))';
    default:
      return choice satisfies never;
  }
};

/** One command gives a flag's name other choices than another does, so the command is part of the case. */
const valueCases = (): readonly string[] =>
  flagPlaces.map(({word, name, choice}) => `    ${word}:--${name}) ${complete(choice)}; return ;;`);

const flagCases = (): readonly string[] =>
  commands.map(command => {
    const words = flagsOf(command).map(({name}) => `--${name}`);
    return `      '${command.word ?? ''}') ${complete({kind: 'words', words})} ;;`;
  });

const operandCases = (): readonly string[] =>
  operandPlaces.flatMap(({word, index, operand}) => {
    const choice = choiceOf(operand);
    // Where a command may stand, a site may too.
    const isStart = word === '' && index === 0;
    const words = `COMPREPLY=($(compgen -W "${commandWords.join(' ')} $(_branchlog_sites)" -- "$cur"))`;
    return isStart || choice ? [`    ${word}:${index}) ${isStart || !choice ? words : complete(choice)} ;;`] : [];
  });

/** A completion script for bash 4 and newer. */
export const formatBashCompletion = (): string => `# bash completion of branchlog: source <(branchlog completion bash)
_branchlog_sites() {
  ${sitesPipeline}
}
_branchlog() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' count=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${valueFlagPattern}) ((i += 1)) ;;
      -*) ;;
      ${commandWords.join('|')}) if [[ -z $command && $count -eq 0 ]]; then command=$word; else ((count += 1)); fi ;;
      *) ((count += 1)) ;;
    esac
  done
  case $command:$prev in
${valueCases().join('\n')}
    *:${valueFlagPattern.replaceAll('|', '|*:')}) return ;;
  esac
  if [[ $cur == -* ]]; then
    case $command in
${flagCases().join('\n')}
    esac
    return
  fi
  case $command:$count in
${operandCases().join('\n')}
  esac
}
complete -F _branchlog branchlog
`;
