import {Box, Text} from 'ink';
import SelectInput from 'ink-select-input';
import {indicatorColumns, type PickView} from '../app/rows/view.ts';
import {lightRow, type ViewRow} from '../app/rows/view-row.ts';
import {paintRow} from './paint-row.ts';
import {Row} from './row.tsx';
import type {Theme} from './theme/theme.ts';

export type PickListProps = {readonly pick: PickView; readonly theme: Theme};

/**
 * A list to choose from, drawn by ink-select-input. It gets the visible rows and the highlighted one, but never the
 * keys: it would handle digits, wrap round at the ends and jump when its values change. Its React key names what it
 * shows, so that it is recreated from our state whenever that changes.
 */
export const PickList = ({pick, theme}: PickListProps) => {
  const lit = pick.isLit ? lightRow : (row: ViewRow) => row;
  const Indicator = ({isSelected = false}: {readonly isSelected?: boolean}) => (
    <Box flexShrink={0}>
      <Text>{isSelected ? paintRow(lit([{text: ' ▸', tone: 'accent'}]), theme) : ' '.repeat(indicatorColumns)}</Text>
    </Box>
  );
  const Item = ({label}: {readonly label: string}) => <Row painted={label} />;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <SelectInput
        key={`${pick.selectedIndex} ${pick.items.map(item => item.key).join(' ')}`}
        items={pick.items.map(({key, row}, index) => ({
          key,
          value: key,
          label: paintRow(index === pick.selectedIndex ? lit(row) : row, theme),
        }))}
        initialIndex={pick.selectedIndex}
        isFocused={false}
        indicatorComponent={Indicator}
        itemComponent={Item}
      />
    </Box>
  );
};
