/** A mouse event; positions count from 0. */
export type MouseAction = {
  readonly kind: 'wheelUp' | 'wheelDown' | 'press';
  readonly columnIndex: number;
  readonly rowIndex: number;
};
