import {spawn, spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createTempFolder} from '../temp-folder.ts';

/** `v1.20.2`, or undefined where there is no kubectl. */
export const findKubectl = (): string | undefined => {
  const {stdout, status} = spawnSync('kubectl', ['version', '--client', '-o', 'json'], {encoding: 'utf8'});
  return status === 0 ? /"gitVersion": "([^"]+)"/.exec(stdout)?.[1] : undefined;
};

export type KubectlRun = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type Kubectl = {
  run(...args: readonly string[]): Promise<KubectlRun>;
  /** Runs until its output passes, and then ends it. Throws when it ends by itself first. */
  until(isEnough: (stdout: string) => boolean, ...args: readonly string[]): Promise<string>;
  remove(): void;
};

/** kubectl with a kubeconfig, and a home of its own for its caches. */
export const createKubectl = (kubeconfig: string): Kubectl => {
  const home = createTempFolder('kubectl');
  const file = join(home.path, 'config');
  writeFileSync(file, kubeconfig);
  const start = (args: readonly string[]) =>
    spawn('kubectl', args, {
      env: {PATH: process.env.PATH, HOME: home.path, KUBECONFIG: file},
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  return {
    run: async (...args) => {
      const child = start(args);
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        stdout += chunk;
      });
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      const code = await new Promise<number | null>(resolve => child.on('close', resolve));
      return {code, stdout, stderr};
    },
    until: async (isEnough, ...args) => {
      const child = start(args);
      let stdout = '';
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      const isPassed = await new Promise<boolean>(resolve => {
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          stdout += chunk;
          if (isEnough(stdout)) {
            resolve(true);
          }
        });
        child.on('close', () => resolve(false));
      });
      child.kill();
      if (!isPassed) {
        throw new Error(`kubectl ${args.join(' ')} ended too early: ${stdout}${stderr}`);
      }
      return stdout;
    },
    remove: home.remove,
  };
};
