import {createInterface} from 'node:readline';
import {isSecretValue} from '#base/secret.ts';
import {UsageError} from '#cli/io/exit-codes.ts';
import type {Io} from '#cli/io/io.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {type Finding, formatFinding} from '../checks/finding.ts';

/** Where answers come from: a person on a terminal, or flags and environment. */
export type Answers = {
  /** Returns the next answer to a question; `suggestion` is taken if the person types nothing. */
  ask(question: string, suggestion: string | undefined): Promise<string>;
  /** Says why an answer is not accepted and returns, so that it can be asked for again, or throws the error. */
  reject(error: unknown): void;
  /** Shows what was checked. */
  show(finding: Finding): void;
  close(): void;
};

/** A check failed with this answer. The findings were shown. */
export class AnswerRejected extends Error {
  override readonly name = 'AnswerRejected';
  readonly exitCode: number;

  constructor(words: string, exitCode: number) {
    super(words);
    this.exitCode = exitCode;
  }
}

const tokenHint = 'this looks like a token: put it into a file that only you can read, and give the path of that file';

/**
 * Asks on the terminal, row by row: the questions go to stderr. The terminal itself edits and echoes what is typed, so
 * there is nothing to restore, and Ctrl+C ends the command. Throws `UsageError` at the end of input.
 */
export const askPerson = ({stdin, stderr}: Io): Answers => {
  const rows = createInterface({input: stdin, crlfDelay: Number.POSITIVE_INFINITY});
  const iterator = rows[Symbol.asyncIterator]();
  const tell = (text: string): void => void stderr.write(`${sanitise(text)}\n`);
  tell('Press Enter to take the answer in brackets, Ctrl+C to stop. Nothing is written before the last answer.');
  const ask: Answers['ask'] = async (question, suggestion) => {
    stderr.write(sanitise(`${question}${suggestion === undefined ? '' : ` [${suggestion}]`}: `));
    const {value, done} = await iterator.next();
    if (done) {
      stderr.write('\n');
      throw new UsageError('stopped before the last answer, so nothing was written');
    }
    const answer = value.trim();
    if (isSecretValue(answer)) {
      tell(tokenHint);
      return ask(question, suggestion);
    }
    return answer === '' ? (suggestion ?? '') : answer;
  };
  return {
    ask,
    reject: error => {
      if (!(error instanceof ConfigError || error instanceof AnswerRejected)) {
        throw error;
      }
      tell(error.message);
    },
    show: finding => void stderr.write(formatFinding(finding, undefined)),
    close: () => rows.close(),
  };
};

/** Takes the suggestions, which are the flags and the environment, as the answers. Shows only what is wrong. */
export const takeSuggestions = ({stderr}: Io): Answers => ({
  ask: async (_question, suggestion = '') => {
    if (isSecretValue(suggestion)) {
      throw new UsageError(tokenHint);
    }
    return suggestion;
  },
  reject: error => {
    throw error;
  },
  show: finding => {
    if (finding.status === 'FAIL' || finding.status === 'warn') {
      stderr.write(formatFinding(finding, undefined));
    }
  },
  close: () => {},
});
