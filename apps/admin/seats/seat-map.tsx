/** The live seat map of an event: occupants, the chosen seat, and the hall as a list. */
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { Link, useParams } from 'react-router-dom';
import { readHall, readSeats } from '#server/contract/seats.ts';
import { seatStates, type SeatState } from '#server/domain/seat/seat-state.ts';
import { keyOf, useEndpoint } from '#apps/shared/query.ts';
import { Toolbar } from '#apps/admin/kit/page/page-title.tsx';
import { useAddressFilters } from '#apps/admin/kit/list/filters.tsx';
import { Live } from '#apps/admin/kit/list/live.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { CategoryFigures, StateLegend } from './figures.tsx';
import { SeatMapChart, type Sight } from './chart.tsx';
import { SeatList } from './list.tsx';
import { BlockList } from '#apps/admin/seats/kept/block-list.tsx';
import { ContingentList } from '#apps/admin/seats/kept/contingent-list.tsx';
import { ChosenSeats } from './chosen-seats.tsx';
import { DoneBar } from './done-bar.tsx';
import { PrintedHall } from './print.tsx';
import { SeatSearch } from './search.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { choose, useSeatSelection, extendToParts } from './selection.ts';
import { useBlocks, type Blocks } from '#apps/admin/seats/kept/use-blocks.ts';
import {
  useContingents,
  type Contingent,
  type Contingents,
} from '#apps/admin/seats/kept/use-contingents.ts';
import {
  countStates,
  findSeats,
  isInState,
  namedSeatsOf,
  seatsOf,
  type Hall,
  type OfficeSeat,
  type Seats,
} from './seats.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Button } from '#apps/admin/kit/button.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import chartStyles from '#apps/admin/kit/hall-chart.module.css';
import styles from './seat-map.module.css';

/** Refetches while the page is visible; changes that the chart reports are fetched earlier. */
const pollMs = 5_000;
/** A large hall's reply is large, so it is fetched less often. */
const slowPollMs = 20_000;
const largeHall = 3_000;
/** Many seats change together, and this pause makes one request for them. */
const changePauseMs = 700;

export function SeatMapScreen() {
  const { eventId } = useParams() as { eventId: string };
  const hall = useEndpoint(
    readHall,
    { params: { eventId } },
    { staleTime: 10 * 60_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
  );
  return <Loaded query={hall}>{(data) => <LoadedHall key={data.event.id} hall={data} />}</Loaded>;
}

function LoadedHall({ hall }: { hall: Hall }) {
  const params = { eventId: hall.event.id };
  const mayRehouse = useMay('edit_events');
  const interval = (answer: Seats | undefined) =>
    (answer?.taken.length ?? 0) > largeHall ? slowPollMs : pollMs;
  const seats = useEndpoint(
    readSeats,
    { params },
    { refetchInterval: (query) => interval(query.state.data), placeholderData: keepPreviousData },
  );
  return (
    <>
      <Toolbar>
        {seats.isSuccess && <Live updatedAt={seats.dataUpdatedAt} pollMs={interval(seats.data)} />}
        {mayRehouse && (
          <Link className={`ui-button ${buttonStyles.small}`} to="rehousing">
            Cambio di sala
          </Link>
        )}
        <Button small onClick={() => window.print()} icon="print" label="Stampa pianta" />
      </Toolbar>
      {hall.rows.length === 0 ? (
        <Empty icon="armchair" title="Questo evento non ha posti.">
          <p>I posti vengono dalla pianta che l’evento aveva quando è stato creato.</p>
        </Empty>
      ) : (
        <Loaded query={seats}>{(data) => <SeatMap hall={hall} now={data} />}</Loaded>
      )}
    </>
  );
}

/** The chosen object, search and state, kept in the address so that an order can link here. */
function useView() {
  const { text, oneOf, change } = useAddressFilters();
  return {
    q: text('q'),
    object: text('seat') || null,
    state: oneOf('state', seatStates) ?? null,
    set: change,
  };
}

const none: readonly string[] = [];

function objectsOf(seats: readonly OfficeSeat[]): string[] {
  return [...new Set(seats.map((seat) => seat.object))];
}

/** The seats that the chart marks for a search or a state. */
function usePicked(seats: OfficeSeat[], q: string, state: SeatState | null) {
  const query = useDeferredValue(q);
  const found = useMemo(() => findSeats(seats, query), [seats, query]);
  const [visited, setVisited] = useState<(Sight & { among: string }) | null>(null);
  const isSearched = query.trim() !== '';
  const bright = useMemo(() => (isSearched ? objectsOf(found) : none), [found, isSearched]);
  const marked = useMemo(
    () =>
      isSearched || state === null
        ? none
        : objectsOf(seats.filter((seat) => isInState(seat, state))),
    [seats, isSearched, state],
  );
  // The map zooms to new results, and after that to a picked seat, until the results change.
  const among = bright.join('\n');
  const searched = useMemo(() => (among === '' ? null : { objects: among.split('\n') }), [among]);
  const sight = visited !== null && visited.among === among ? visited : searched;
  return {
    found,
    waiting: query !== q,
    marked,
    bright,
    sight,
    see: (objects: readonly string[]) => setVisited({ objects, among }),
  };
}

function SeatMap({ hall, now }: { hall: Hall; now: Seats }) {
  const view = useView();
  const { taken, contingents: kept } = now;
  const seats = useMemo(() => seatsOf(hall, taken, kept), [hall, taken, kept]);
  // Places of an area that is sold by number are not chosen one by one.
  const named = useMemo(
    () => namedSeatsOf({ ...hall, rows: hall.rows.filter((row) => !isOfArea(row)) }),
    [hall],
  );
  const picked = usePicked(seats, view.q, view.state);
  const selection = useSeatSelection(view.object, (seat) => view.set({ seat }));
  const { chosen, setChosen, isMany, clear } = selection;
  const chart = useRef<HTMLElement>(null);
  const blocks = useBlocks(hall.event.id);
  const contingents = useContingents(hall.event.id);

  function show(objects: readonly string[]) {
    setChosen(objects);
    picked.see(objects);
    chart.current?.scrollIntoView({ block: 'nearest' });
  }
  const onVisit = (seat: OfficeSeat) => show([seat.object]);
  const work = { hall, now, seats, chosen, blocks, contingents, onVisit };

  return (
    <div className={styles.seatMap}>
      <Finding {...work} view={view} found={picked.found} waiting={picked.waiting} />
      <SelectionBar
        named={named}
        count={chosen.length}
        isMany={isMany}
        onMany={selection.setMany}
        onTyped={(objects) => show(choose(chosen, objects, 'add'))}
        onPart={(part) => setChosen(extendToParts(seats, chosen, part))}
        onClear={clear}
      />
      <DoneBar {...blocks} />
      <DoneBar {...contingents} />
      <div className={styles.body}>
        <LiveChart {...work} ref={chart} picked={picked} presses={selection.presses} />
        <ChosenSeats {...work} isMany={isMany} onRefused={picked.see} onClose={clear} />
      </div>
      <Below {...work} state={view.state} onShow={show} />
    </div>
  );
}

function isOfArea({ kind, seats }: Hall['rows'][number]): boolean {
  return kind === 'area' && seats[0]?.in_whole === false;
}

interface LiveChartProps {
  ref: Ref<HTMLElement>;
  hall: Hall;
  seats: readonly OfficeSeat[];
  chosen: readonly string[];
  picked: ReturnType<typeof usePicked>;
  presses: ReturnType<typeof useSeatSelection>['presses'];
}

function LiveChart({ ref, hall, seats, chosen, picked, presses }: LiveChartProps) {
  const refresh = useRefresh(hall.event.id);
  return (
    <section
      className={joinClasses(chartStyles.frame, styles.chart)}
      aria-label="Pianta dei posti, dal vivo"
      ref={ref}
      onPointerDownCapture={presses.onPointerDownCapture}
    >
      <SeatMapChart
        hall={hall}
        seats={seats}
        chosen={chosen}
        marked={picked.marked}
        found={picked.bright}
        sight={picked.sight}
        onPick={presses.press}
        onChange={refresh}
      />
    </section>
  );
}

interface BelowProps {
  hall: Hall;
  now: Seats;
  seats: readonly OfficeSeat[];
  state: SeatState | null;
  chosen: readonly string[];
  blocks: Blocks;
  contingents: Contingents;
  onShow: (objects: readonly string[]) => void;
  onVisit: (seat: OfficeSeat) => void;
}

/** Below the map: blocks, contingents, and the hall in figures, as a list and for print. */
function Below({ hall, now, seats, state, chosen, blocks, contingents, ...on }: BelowProps) {
  /** If set, this code sheet is printed instead of the hall. */
  const [sheet, setSheet] = useState<Contingent | null>(null);
  return (
    <>
      <BlockList blocks={blocks} startsAt={hall.event.starts_at} onShow={on.onShow} />
      {contingents.may && (
        <ContingentList
          contingents={contingents}
          event={hall.event}
          onShow={on.onShow}
          onPrint={(contingent) => {
            // The sheet must be drawn before the browser lays out the paper.
            flushSync(() => setSheet(contingent));
            window.print();
            setSheet(null);
          }}
        />
      )}
      <CategoryFigures categories={now.categories} />
      <SeatList
        seats={seats}
        areas={now.areas}
        state={state}
        chosen={chosen}
        onVisit={on.onVisit}
      />
      <PrintedHall
        hall={hall}
        seats={seats}
        areas={now.areas}
        counts={countStates(now.categories)}
        sheet={sheet}
      />
    </>
  );
}

interface FindingProps {
  now: Seats;
  seats: readonly OfficeSeat[];
  view: ReturnType<typeof useView>;
  found: readonly OfficeSeat[];
  waiting: boolean;
  onVisit: (seat: OfficeSeat) => void;
}

/** Above the map: problems, the search, and the states with their counts. */
function Finding({ now, seats, view, found, waiting, onVisit }: FindingProps) {
  const { q, state, set } = view;
  return (
    <>
      {now.map === 'silent' && (
        <Notice aria-live="polite" tone="warn">
          La pianta dei posti non risponde: qui vedi quello che è stato venduto da questo sito, ma
          non i carrelli dei visitatori né i posti bloccati.
        </Notice>
      )}
      <Unguarded seats={seats} onVisit={onVisit} />
      <SeatSearch
        q={q}
        found={found}
        waiting={waiting}
        onSearch={(text) => set({ q: text, ...(text === '' ? {} : { state: '' }) })}
        onVisit={onVisit}
      />
      <StateLegend
        counts={countStates(now.categories)}
        chosen={state}
        onChoose={(name: SeatState | null) => set({ state: name ?? '', q: '' })}
      />
    </>
  );
}

interface UnguardedProps {
  seats: readonly OfficeSeat[];
  onVisit: (seat: OfficeSeat) => void;
}

/** Seats sold here but free on the seat map, where another visitor could buy them again. */
function Unguarded({ seats, onVisit }: UnguardedProps) {
  const open = seats.filter((seat) => seat.unguarded);
  if (open.length === 0) return null;
  return (
    <Notice as="div" tone="bad" role="alert">
      <p>
        <strong>
          {open.length === 1
            ? 'Un posto venduto risulta libero sulla pianta'
            : `${open.length} posti venduti risultano liberi sulla pianta`}
          :
        </strong>{' '}
        qualcun altro potrebbe comprarlo. Bloccalo subito sulla pianta.
      </p>
      <ul className={styles.open}>
        {open.slice(0, 20).map((seat) => (
          <li key={seat.place}>
            <button type="button" className={textStyles.link} onClick={() => onVisit(seat)}>
              {seat.name}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The first of many changes starts a short pause, then one request follows. */
function useRefresh(eventId: string): () => void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: keyOf(readSeats, { params: { eventId } }) });
    }, changePauseMs);
  };
}
