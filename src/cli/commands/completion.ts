import type {CommandInput, ParsedArguments} from '#cli/arguments/args.ts';
import {shells} from '#cli/arguments/commands.ts';
import {exitCodes} from '#cli/io/exit-codes.ts';

/** Runs `branchlog completion SHELL`: prints a script that calls `branchlog __complete` for candidates. */
export const runCompletion = async ({parsed, output, signal}: CommandInput): Promise<number> => {
  await output.write(scripts[chosenShell(parsed)], signal);
  return exitCodes.done;
};

const chosenShell = ({operands: [word]}: ParsedArguments): Shell => shells.find(shell => shell === word) ?? 'bash';

type Shell = (typeof shells)[number];

const scripts: Readonly<Record<Shell, string>> = {
  // Bash splits words at = and : and leaves quotes in them, so the script passes the line itself. Bash 3.2 has no
  // compopt.
  bash: `# bash completion of branchlog: source <(branchlog completion bash)
_branchlog() {
  local row
  COMPREPLY=()
  while IFS= read -r row; do
    if [[ $row == $'\\t'files ]]; then
      compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
    else
      COMPREPLY+=("$row")
    fi
  done < <(branchlog __complete bash -- "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
}
complete -F _branchlog branchlog
`,
  zsh: `#compdef branchlog
# zsh completion of branchlog: branchlog completion zsh > "\${fpath[1]}/_branchlog"
_branchlog() {
  local -a rows
  rows=("\${(@f)$(branchlog __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $rows[1] == $'\\t'files ]]; then
    compset -P '--*='
    _files
  elif [[ -n $rows[1] ]]; then
    # Of each row _describe takes what is before the first colon, and a backslash as a sign that quotes.
    rows=("\${(@)rows//\\\\/\\\\\\\\}")
    rows=("\${(@)rows//:/\\\\:}")
    rows=("\${(@)rows/$'\\t'/:}")
    _describe branchlog rows
  fi
}
if [[ $funcstack[1] == _branchlog ]]; then _branchlog "$@"; else compdef _branchlog branchlog; fi
`,
  fish: `# fish completion of branchlog: branchlog completion fish > ~/.config/fish/completions/branchlog.fish
function __branchlog_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l rows (branchlog __complete -- $words (commandline -ct) 2>/dev/null)
  if test "$rows[1]" = \\tfiles
    __fish_complete_path (commandline -ct)
  else
    string join -- \\n $rows
  end
end
complete -c branchlog -f -a '(__branchlog_complete)'
`,
};
