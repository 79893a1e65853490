import SelectInput from 'ink-select-input';
import {ScreenRow} from './row.tsx';

export type PickListProps = {readonly itemKey: string; readonly painted: string};

/**
 * The highlighted row of a list, drawn by ink-select-input. It gets this row alone: the others bypass Ink, which would
 * lay out each of them for every key. And it never gets the keys: it would handle digits, wrap round at the ends and
 * jump when its values change. Its React key names what it shows, so that it is recreated from our state whenever that
 * changes.
 */
export const PickList = ({itemKey, painted}: PickListProps) => (
  <SelectInput
    key={itemKey}
    items={[{key: itemKey, value: itemKey, label: painted}]}
    isFocused={false}
    indicatorComponent={NoIndicator}
    itemComponent={PickItem}
  />
);

/** The painted row has it. */
const NoIndicator = () => null;

const PickItem = ({label}: {readonly label: string}) => <ScreenRow painted={label} />;
