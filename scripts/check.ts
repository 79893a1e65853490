/**
 * Runs the commands of package.json's scripts `build`, `types` and `lint` side by side: none needs what another makes,
 * and most of them keep one core busy. What a command prints comes in one piece when it ends. Run by `npm test`.
 */
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';

const {scripts}: {scripts: Readonly<Record<string, string>>} = JSON.parse(readFileSync('package.json', 'utf8'));
const commands = ['build', 'types', 'lint'].flatMap(name => (scripts[name] ?? 'exit 1').split(' && '));

/** Resolves with whether the command succeeded. */
const run = (command: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, {shell: true, stdio: ['ignore', 'pipe', 'pipe']});
    const printed: Buffer[] = [];
    child.stdout.on('data', chunk => printed.push(chunk));
    child.stderr.on('data', chunk => printed.push(chunk));
    child.on('error', reject);
    child.on('close', code => {
      process.stdout.write(Buffer.concat(printed));
      if (code !== 0) {
        console.error(`${command}: failed`);
      }
      resolve(code === 0);
    });
  });

const succeeded = await Promise.all(commands.map(run));
process.exitCode = succeeded.every(Boolean) ? 0 : 1;
