/**
 * Which fields an answer of seats.io has: read field by field from the public models of the vendor's clients (Java, C#, PHP, Python, Ruby, Go).
 * `+` is there, `-` is left out, `0` is an explicit null. There is no `0` anywhere: PHP's mapper throws on it.
 */
type Cell = '+' | '-' | '0';

/** Column -> field -> what it is there. */
export type FieldTable = Record<string, Record<string, Cell>>;

/** The first line names the columns, each further line a field. */
function tableOf(text: string): FieldTable {
  const [head, ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return Object.fromEntries(
    head!.map((column, index) => [
      column,
      Object.fromEntries(lines.map(([field, ...cells]) => [field!, cells[index] as Cell])),
    ]),
  );
}

/** `full` was made with everything that can be said about an event, and changed later. */
export const EVENT = tableOf(`
                              bare  full  inSeason  season  partial
  id                           +     +     +         +       +
  key                          +     +     +         +       +
  chartKey                     +     +     +         +       +
  name                         -     +     -         -       -
  date                         -     +     -         -       -
  tableBookingConfig           +     +     +         +       +
  supportsBestAvailable        +     +     +         +       +
  forSaleConfig                -     +     -         -       -
  forSalePropagated            -     -     -         +       -
  channels                     -     +     -         -       -
  categories                   +     +     +         +       +
  objectCategories             -     +     -         -       -
  createdOn                    +     +     +         +       +
  updatedOn                    -     +     -         -       -
  isInThePast                  +     +     +         +       +
  isSeason                     +     +     +         +       +
  isTopLevelSeason             +     +     +         +       +
  isPartialSeason              +     +     +         +       +
  isEventInSeason              +     +     +         +       +
  topLevelSeasonKey            -     -     +         -       +
  partialSeasonKeysForEvent    -     -     +         -       -
  partialSeasonKeys            -     -     -         +       -
  events                       -     -     -         +       +
  season                       -     -     +         -       -
  socialDistancingRulesetKey   -     -     -         -       -
`);

/** `drafted` has zones, an event and an edited drawing, and is asked for with its events. */
export const CHART = tableOf(`
                                 made  listed  drafted
  id                              +     +       +
  key                             +     +       +
  name                            +     +       +
  status                          +     +       +
  tags                            +     +       +
  archived                        +     +       +
  publishedVersionThumbnailUrl    +     +       +
  draftVersionThumbnailUrl        -     -       +
  events                          -     -       +
  validation                      +     -       +
  venueType                       +     -       +
  zones                           -     -       +
  socialDistancingRulesets        -     -       -
`);

/** `sold` was booked with everything that can be said; `offered` is for resale; `varies` is an area for parties of different size. */
export const OBJECT_INFO = tableOf(`
                                      free  sold  held  offered  inSection  table  booth  area  heldArea  varies
  label                                +     +     +     +        +          +      +      +     +         +
  labels                               +     +     +     +        +          +      +      +     +         +
  ids                                  +     +     +     +        +          +      +      +     +         +
  displayedLabel                       +     +     +     +        +          +      +      +     +         +
  status                               +     +     +     +        +          +      +      +     +         +
  objectType                           +     +     +     +        +          +      +      +     +         +
  forSale                              +     +     +     +        +          +      +      +     +         +
  isAvailable                          +     +     +     +        +          +      +      +     +         +
  availabilityReason                   +     +     +     +        +          +      +      +     +         +
  categoryKey                          +     +     +     +        +          +      +      +     +         +
  categoryLabel                        +     +     +     +        +          +      +      +     +         +
  ticketType                           -     +     -     -        -          -      -      -     -         -
  orderId                              -     +     -     -        -          -      -      -     -         -
  holdToken                            -     -     +     -        -          -      -      -     -         -
  extraData                            -     +     -     -        -          -      -      -     -         -
  channel                              -     +     -     -        -          -      -      -     -         -
  resaleListingId                      -     -     -     +        -          -      -      -     -         -
  entrance                             -     -     -     -        +          -      -      -     -         -
  section                              -     -     -     -        +          -      -      -     -         -
  zone                                 -     -     -     -        -          -      -      -     -         -
  floor                                -     -     -     -        -          -      -      -     -         -
  leftNeighbour                        -     +     +     +        -          -      -      -     -         -
  rightNeighbour                       +     +     +     +        -          -      -      -     -         -
  displayedObjectType                  -     -     -     -        -          -      -      -     -         -
  parentDisplayedObjectType            -     -     -     -        +          -      -      -     -         -
  distanceToFocalPoint                 +     +     +     +        +          +      +      +     +         +
  seasonStatusOverriddenQuantity       +     +     +     +        +          +      +      +     +         +
  seasonStatusOverriddenQuantities     +     +     +     +        +          +      +      +     +         +
  isAccessible                         +     +     +     +        +          -      -      -     -         -
  isCompanionSeat                      +     +     +     +        +          -      -      -     -         -
  hasRestrictedView                    +     +     +     +        +          -      -      -     -         -
  hasLiftUpArmrests                    +     +     +     +        +          -      -      -     -         -
  isHearingImpaired                    +     +     +     +        +          -      -      -     -         -
  isSemiAmbulatorySeat                 +     +     +     +        +          -      -      -     -         -
  hasSignLanguageInterpretation        +     +     +     +        +          -      -      -     -         -
  isPlusSize                           +     +     +     +        +          -      -      -     -         -
  numSeats                             -     -     -     -        -          +      -      -     -         -
  tableType                            -     -     -     -        -          +      -      -     -         -
  bookAsAWhole                         -     -     -     -        -          +      -      +     +         +
  capacity                             -     -     -     -        -          -      -      +     +         +
  numBooked                            -     -     -     -        -          -      -      +     +         +
  numFree                              -     -     -     -        -          -      -      +     +         +
  numHeld                              -     -     -     -        -          -      -      +     +         +
  numNotForSale                        -     -     -     -        -          -      -      +     +         +
  variableOccupancy                    -     -     -     -        -          -      -      +     +         +
  minOccupancy                         -     -     -     -        -          -      -      +     +         +
  maxOccupancy                         -     -     -     -        -          -      -      -     -         +
  holds                                -     -     -     -        -          -      -      -     +         -
  areaType                             -     -     -     -        -          -      -      +     +         +
`);

/** In reports on charts. */
export const CHART_OBJECT_INFO = tableOf(`
                                  seat  inSection  table  booth  area
  label                            +     +          +      +      +
  labels                           +     +          +      +      +
  ids                              +     +          +      +      +
  displayedLabel                   +     +          +      +      +
  objectType                       +     +          +      +      +
  categoryKey                      +     +          +      +      +
  categoryLabel                    +     +          +      +      +
  section                          -     +          -      -      -
  entrance                         -     +          -      -      -
  zone                             -     -          -      -      -
  floor                            -     -          -      -      -
  leftNeighbour                    -     -          -      -      -
  rightNeighbour                   +     -          -      -      -
  distanceToFocalPoint             +     +          +      +      +
  isAccessible                     +     +          -      -      -
  isCompanionSeat                  +     +          -      -      -
  hasRestrictedView                +     +          -      -      -
  hasLiftUpArmrests                +     +          -      -      -
  isHearingImpaired                +     +          -      -      -
  isSemiAmbulatorySeat             +     +          -      -      -
  hasSignLanguageInterpretation    +     +          -      -      -
  isPlusSize                       +     +          -      -      -
  numSeats                         -     -          +      -      -
  tableType                        -     -          +      -      -
  bookAsAWhole                     -     -          +      -      +
  capacity                         -     -          -      -      +
  areaType                         -     -          -      -      +
`);

export const HOLD_TOKEN = tableOf(`
                      token
  holdToken            +
  expiresAt            +
  expiresInSeconds     +
  workspaceKey         +
`);

/** Status changes; `gone` is of a table that is sold chair by chair by now. */
export const STATUS_CHANGE = tableOf(`
                            plain  sold  held  gone
  id                         +      +     +     +
  eventId                    +      +     +     +
  status                     +      +     +     +
  quantity                   +      +     +     +
  objectLabel                +      +     +     +
  displayedLabel             +      +     +     +
  date                       +      +     +     +
  origin                     +      +     +     +
  isPresentOnChart           +      +     +     +
  orderId                    -      +     -     -
  holdToken                  -      -     +     -
  extraData                  -      +     -     -
  notPresentOnChartReason    -      -     -     +
`);

export const LOG_ROW = tableOf(`
               row
  id            +
  type          +
  timestamp     +
  data          +
`);

/** One group of a summary; the columns are the reports. */
export const EVENT_SUMMARY = tableOf(`
                          byStatus  byObjectType  byCategoryKey  byCategoryLabel  bySection  byZone  byAvailability  byAvailabilityReason  byChannel
  count                    +         +             +              +                +          +       +               +                     +
  byStatus                 -         +             +              +                +          +       +               +                     +
  byObjectType             +         -             +              +                +          +       +               +                     +
  byCategoryKey            +         +             -              -                +          +       +               +                     +
  byCategoryLabel          +         +             -              -                +          +       +               +                     +
  bySection                +         +             +              +                -          +       +               +                     +
  byZone                   +         +             +              +                +          -       +               +                     +
  byAvailability           +         +             +              +                +          +       -               +                     +
  byAvailabilityReason     +         +             +              +                +          +       +               -                     +
  byChannel                +         +             +              +                +          +       +               +                     -
  bySelectability          +         +             +              +                +          +       +               +                     +
`);

/** The groups that a summary names though nothing is in them, on a chart where nothing was drawn: everything else is left out. */
export const EMPTY_GROUPS: Record<string, string[]> = {
  byStatus: [],
  byObjectType: ['seat', 'generalAdmission', 'table', 'booth'],
  byCategoryKey: ['NO_CATEGORY'],
  byCategoryLabel: ['NO_CATEGORY'],
  bySection: [],
  byZone: ['NO_ZONE'],
  byAvailability: [],
  byAvailabilityReason: [
    'available',
    'booked',
    'not_for_sale',
    'reservedByToken',
    'disabled_by_social_distancing',
  ],
  byChannel: ['NO_CHANNEL'],
};

/** What stands inside of those answers: every part has these fields, no more and no fewer. */
export const PARTS: Record<string, string> = {
  channel: 'id key name color index objects areaPlaces',
  category: 'key label color accessible',
  forSaleConfig: 'forSale objects areaPlaces categories',
  tableBookingConfig: 'mode',
  customTableBookingConfig: 'mode tables',
  labels: 'own parent',
  labelsInSection: 'own parent section entrance',
  ownLabel: 'label type',
  ids: 'own parent',
  idsInSection: 'own parent section',
  floor: 'name displayName',
  origin: 'type ip',
  validation: 'errors warnings',
  zone: 'key label',
  bestAvailable: 'objects objectDetails nextToEachOther',
  editedForSale: 'forSaleConfig rateLimitInfo',
  rateLimitInfo: 'rateLimitRemainingCalls rateLimitResetDate',
  changed: 'objects',
  chartSummary: 'count byCategoryKey byCategoryLabel bySection byZone',
  lastPage: 'items',
  firstPage: 'items next_page_starts_after',
};
