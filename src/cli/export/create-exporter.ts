import {resolve} from 'node:path';
import {reasonOf} from '../../api/recording/recording-file.ts';
import type {Exporter, SaveOutcome, SaveRequest} from '../../app/state/exporter.ts';
import {expandPath} from '../../config/values/expand-path.ts';
import {version} from '../io/version.ts';
import {findTarget, type Target} from './find-target.ts';
import {createPipe, type PipeOptions} from './pipe.ts';
import {saveIncident} from './save-incident.ts';
import {manifestPath, saveLines} from './save-lines.ts';

/** Interval of progress reports, in milliseconds: each one sends a row to the terminal. */
const progressMs = 250;

export type ExporterOptions = PipeOptions & {readonly homeFolder: string | undefined};

/** Creates the exporter, which saves to files and pipes to programs. */
export const createExporter = ({homeFolder, ...pipeOptions}: ExporterOptions): Exporter => ({
  save: async (request, signal, progress) => {
    const {path: typed} = request;
    // Without a home folder, `~` is an ordinary name.
    const path = homeFolder === undefined ? resolve(typed) : expandPath(typed, resolve(), homeFolder, typed);
    try {
      const targets = await Promise.all(pathsOf(request, path).map(findTarget));
      const refused = refuse(request, targets);
      if (refused !== undefined) {
        return refused;
      }
      const save = request.what === 'lines' ? saveLines : saveIncident;
      const target = targets[0]?.kind === 'file' ? targets[0].path : path;
      const what = await save({request, path: target, signal, progress: everySoOften(progress), version});
      return {kind: 'saved', sentence: `saved ${what}, to ${request.path}`};
    } catch (error) {
      return {kind: 'failed', sentence: `${request.path} could not be saved: ${reasonOf(error)}`};
    }
  },
  pipe: createPipe(pipeOptions),
});

const pathsOf = ({what}: SaveRequest, path: string): readonly string[] =>
  what === 'lines' ? [path, manifestPath(path)] : [path];

const refuse = ({path, replaces}: SaveRequest, targets: readonly Target[]): SaveOutcome | undefined => {
  const unfit = targets.find(target => target.kind === 'unfit');
  if (unfit !== undefined) {
    return {kind: 'failed', sentence: `${path} ${unfit.sentence}`};
  }
  return !replaces && targets.some(({kind}) => kind === 'file') ? {kind: 'exists'} : undefined;
};

const everySoOften = (tell: (share: number) => void): ((share: number) => void) => {
  let toldAtMs = performance.now();
  return share => {
    const nowMs = performance.now();
    if (nowMs - toldAtMs >= progressMs) {
      toldAtMs = nowMs;
      tell(share);
    }
  };
};
