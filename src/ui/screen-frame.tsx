import {Box} from 'ink';
import type {ScreenView} from '../app/view.ts';
import type {ViewRow} from '../app/view-row.ts';
import {paintRow} from './paint-row.ts';
import {PickList} from './pick-list.tsx';
import {Row} from './row.tsx';
import type {Theme} from './theme.ts';

export type ScreenFrameProps = {readonly view: ScreenView; readonly columns: number; readonly theme: Theme};

/** All three screens: header, input line or strip, pane, state, hints. */
export const ScreenFrame = ({view, columns, theme}: ScreenFrameProps) => (
  <Box flexDirection="column" width={columns}>
    <Row painted={paintRow(view.header, theme)} />
    <Row painted={paintRow(view.second, theme)} />
    <Box height={view.paneRows} flexDirection="row" overflow="hidden">
      {view.pane.kind === 'rows' ? (
        <Rows rows={view.pane.rows} theme={theme} />
      ) : (
        <>
          <PickList pick={view.pane.pick} theme={theme} />
          {view.pane.beside.length === 0 ? null : (
            <Box flexDirection="column" marginLeft={2} flexShrink={0}>
              <Rows rows={view.pane.beside} theme={theme} />
            </Box>
          )}
        </>
      )}
    </Box>
    <Row painted={paintRow(view.state, theme)} />
    <Row painted={paintRow(view.hints, theme)} />
  </Box>
);

const Rows = ({rows, theme}: {readonly rows: readonly ViewRow[]; readonly theme: Theme}) => (
  <Box flexDirection="column">
    {rows.map((row, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is known by its place.
      <Row key={index} painted={paintRow(row, theme)} />
    ))}
  </Box>
);
