/** The columns of an event that are times of its evening or of its sale. */
export const timeFields = [
  'starts_at',
  'doors_at',
  'ends_at',
  'admits_from',
  'admits_until',
  'sales_opens_at',
  'sales_closes_at',
] as const;
