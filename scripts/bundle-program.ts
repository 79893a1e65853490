import {type BuildOptions, build, type OutputFile, type Plugin} from 'esbuild';
import {inOneChunk, sharedByScreens, withLastingNames} from './bundle-chunks.ts';
import {bundleOptions} from './bundle-options.ts';
import {lateStringWidth, plainBuiltins, withoutDevtools, withoutUnneeded} from './bundle-plugins.ts';

type File = Pick<OutputFile, 'path' | 'contents'>;

/** Bundles src/cli/main.ts to `main.js` and chunks in `folder`, split so that a command loads only what it needs. */
export const bundleProgram = async (
  folder: string,
  plugins: readonly Plugin[],
  more: Pick<BuildOptions, 'banner'> = {},
): Promise<readonly File[]> => {
  const options = {
    ...bundleOptions,
    ...more,
    entryPoints: ['src/cli/main.ts'],
    outdir: folder,
    splitting: true,
    format: 'esm',
    chunkNames: 'chunks/[name]-[hash]',
    metafile: true,
  } as const satisfies BuildOptions;
  const all = [...plugins, withoutDevtools, lateStringWidth, withoutUnneeded, plainBuiltins];
  // Bundle twice: the first build shows what the screens share with other commands, the second puts that into one chunk.
  const {metafile} = await build({...options, plugins: all});
  const shared = inOneChunk(sharedByScreens(metafile), metafile);
  const {outputFiles} = await build({...options, plugins: [shared, ...all]});
  return withLastingNames(outputFiles);
};
