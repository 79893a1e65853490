import type {Effect} from '../state/effect.ts';
import type {Happening} from '../state/event.ts';
import type {Exporter} from '../state/exporter.ts';

type ExportEffect = Extract<Effect, {kind: 'saveFile' | 'cancelSave' | 'pipe'}>;

export type ExportRunner = {
  readonly run: (effect: ExportEffect, dispatch: (happening: Happening) => void) => void;
  /** Ends what is being saved; resolves when nothing of it is left. */
  readonly close: () => Promise<void>;
};

/**
 * Carries out what saves and pipes; what does it is loaded with the first of them. One file is saved at a time, and
 * nothing is heard of one that was cancelled.
 */
export const createExportRunner = (openExporter: () => Promise<Exporter>): ExportRunner => {
  let exporter: Promise<Exporter> | undefined;
  let saving = new AbortController();
  let saved: Promise<void> = Promise.resolve();

  const open = (): Promise<Exporter> => {
    exporter ??= openExporter();
    return exporter;
  };

  return {
    run: (effect, dispatch) => {
      switch (effect.kind) {
        case 'saveFile': {
          saving.abort();
          saving = new AbortController();
          const {signal} = saving;
          const tell = (happening: Happening): void => {
            if (!signal.aborted) {
              dispatch(happening);
            }
          };
          saved = open()
            .then(each => each.save(effect.request, signal, share => tell({kind: 'saveProgressed', share})))
            .then(outcome => tell({kind: 'saveEnded', outcome}));
          return;
        }
        case 'cancelSave':
          saving.abort();
          return;
        case 'pipe':
          void open()
            .then(each => each.pipe(effect.request))
            .then(notice => {
              if (notice !== undefined) {
                dispatch({kind: 'noticed', notice});
              }
            });
          return;
        default:
          effect satisfies never;
      }
    },
    close: async () => {
      saving.abort();
      await saved;
    },
  };
};
