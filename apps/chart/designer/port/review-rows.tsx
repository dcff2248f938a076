/** The list of found rows, and the corrections of the selected one. */
import {
  Button,
  Check,
  NumberField,
  Select,
  TextField,
} from '#apps/chart/designer/kit/controls.tsx';
import {
  joinFound,
  keepFound,
  numberFound,
  renameFound,
  reverseFound,
  sectionFound,
  splitFound,
  type FoundRow,
} from '#server/drawing/port/svg/found.ts';
import type { Review } from './use-review.ts';
import { count } from '#apps/chart/designer/kit/count.ts';

/** A longer list would make the page slow; the map shows all. */
const SHOWN = 400;

const nounOf = ({ table }: FoundRow) => (table ? 'Tavolo' : 'Fila');
function nameOf({ section, label }: FoundRow): string {
  return section === '' ? label : `${section}, ${label}`;
}

function Line({ review, row }: { review: Review; row: FoundRow }) {
  const isDouble = review.doubles.rows.has(row.id) || review.doubles.seats.has(row.id);
  return (
    <li data-chosen={row.id === review.row} data-out={!row.isKept}>
      <input
        type="checkbox"
        aria-label={`${nounOf(row)} ${nameOf(row)}: correggi insieme ad altre`}
        checked={review.ticked.has(row.id)}
        onChange={({ target }) => {
          const next = new Set(review.ticked);
          if (target.checked) next.add(row.id);
          else next.delete(row.id);
          review.tick(next);
        }}
      />
      <button
        type="button"
        aria-pressed={row.id === review.row}
        onClick={() => review.choose(row.id)}
      >
        <b>
          {nounOf(row)} {nameOf(row)}
        </b>
        <span>
          {count(row.seats.length, 'posto', 'posti')}, da {row.seats[0]?.label} a{' '}
          {row.seats.at(-1)?.label}
          {row.gaps.size > 0 && `, ${count(row.gaps.size, 'corridoio', 'corridoi')}`}
          {!row.isNamed && ', nome proposto'}
          {!row.isKept && ', esclusa'}
        </span>
        {isDouble && (
          <span className="bsd-port-warn">
            {review.doubles.rows.has(row.id) ? 'Nome ripetuto' : 'Numero ripetuto'}
          </span>
        )}
      </button>
    </li>
  );
}

function nearestRows({ found }: Review, row: FoundRow): FoundRow[] {
  const endsOf = ({ seats }: FoundRow) => [...seats.slice(0, 1), ...seats.slice(-1)];
  const apart = (other: FoundRow) =>
    Math.min(
      ...endsOf(row).flatMap((end) =>
        endsOf(other).map((spot) => Math.hypot(spot.x - end.x, spot.y - end.y)),
      ),
    );
  return found.rows
    .filter((other) => other !== row && other.section === row.section)
    .map((other) => ({ other, distance: apart(other) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 8)
    .map(({ other }) => other);
}

interface MendLook {
  review: Review;
  row: FoundRow;
}

function Names({ review: { mend }, row }: MendLook) {
  const first = Number(row.seats[0]?.label);
  const step = Number(row.seats[1]?.label) - first;
  const number = (start: number, by: number) =>
    mend((found) => numberFound(found, row.id, { first: start, step: by }));
  return (
    <>
      <TextField
        label={row.table ? 'Nome del tavolo' : 'Nome della fila'}
        value={row.label}
        maxLength={40}
        onCommit={(label) =>
          label.trim() !== '' && mend((found) => renameFound(found, row.id, label.trim()))
        }
      />
      <TextField
        label="Settore"
        value={row.section}
        maxLength={60}
        onCommit={(section) =>
          mend((found) => sectionFound(found, new Set([row.id]), section.trim()))
        }
      />
      <NumberField
        label="Primo numero"
        value={Number.isFinite(first) ? first : null}
        whole
        min={0}
        max={99_999}
        onCommit={(start) => number(start, step === 2 ? 2 : 1)}
      />
      <NumberField
        label="Passo"
        value={Number.isFinite(step) ? step : null}
        whole
        min={1}
        max={10}
        onCommit={(by) => number(Number.isFinite(first) ? first : 1, by)}
      />
    </>
  );
}

function Mend({ review, row }: MendLook) {
  const { mend } = review;
  const others = nearestRows(review, row).map((other) => ({
    value: other.id,
    text: `${nounOf(other)} ${nameOf(other)}`,
  }));
  const seats = row.seats.slice(0, -1).map(({ label }, at) => ({
    value: String(at),
    text: `Posto ${label}`,
  }));
  return (
    <div className="bsd-port-mend" role="group" aria-label={`${nounOf(row)} ${nameOf(row)}`}>
      <Names review={review} row={row} />
      <Check
        label={row.table ? 'Importa questo tavolo' : 'Importa questa fila'}
        checked={row.isKept}
        onChange={(isKept) => mend((found) => keepFound(found, new Set([row.id]), isKept))}
      />
      <Select
        label="Posto a cui dividere"
        value={String(Math.min(review.seat, seats.length - 1))}
        options={seats}
        disabled={seats.length === 0}
        onChange={(seat) => review.choose(row.id, Number(seat))}
      />
      <Select
        label="Unisci con"
        value=""
        options={[{ value: '', text: 'Scegli una fila' }, ...others]}
        onChange={(other) => other !== '' && mend((found) => joinFound(found, row.id, other))}
      />
      <div className="bsd-port-buttons">
        <Button
          disabled={review.seat > seats.length - 1}
          onPress={() => mend((found) => splitFound(found, row.id, review.seat))}
        >
          {`Dividi dopo il posto ${row.seats[review.seat]?.label ?? ''}`}
        </Button>
        <Button onPress={() => mend((found) => reverseFound(found, row.id))}>
          Numera dall’altro lato
        </Button>
      </div>
    </div>
  );
}

/** Corrects several rows together. */
function Together({ review }: { review: Review }) {
  const { found, ticked, tick, mend } = review;
  const rows = found.rows.filter(({ id }) => ticked.has(id));
  const [first] = rows;
  if (!first) return null;
  return (
    <div className="bsd-port-mend" role="group" aria-label="Più file insieme">
      <p>{count(rows.length, 'fila scelta', 'file scelte')}</p>
      <Button onPress={() => tick(new Set())}>Non sceglierne</Button>
      <TextField
        label="Settore delle file scelte"
        value={rows.every(({ section }) => section === first.section) ? first.section : ''}
        maxLength={60}
        onCommit={(section) => mend((before) => sectionFound(before, ticked, section.trim()))}
      />
      <Check
        label="Importa le file scelte"
        checked={rows.every(({ isKept }) => isKept)}
        onChange={(isKept) => mend((before) => keepFound(before, ticked, isKept))}
      />
    </div>
  );
}

/** Ticks all rows between two of the list, to give them one section. */
function Range({ review }: { review: Review }) {
  const { found, row, ticked, tick } = review;
  const ids = found.rows.map(({ id }) => id);
  const from = ids.findIndex((id) => ticked.has(id));
  const to = ids.indexOf(row ?? '');
  return (
    <div className="bsd-port-buttons">
      <Button onPress={() => tick(new Set(ids))}>Scegli tutte</Button>
      <Button
        disabled={from < 0 || to <= from}
        onPress={() => tick(new Set([...ticked, ...ids.slice(from, to + 1)]))}
      >
        Scegli fino a quella aperta
      </Button>
    </div>
  );
}

export function ReviewRows({ review }: { review: Review }) {
  const { rows } = review.found;
  const chosen = rows.find(({ id }) => id === review.row);
  return (
    <div className="bsd-port-rows">
      {chosen && <Mend key={chosen.id} review={review} row={chosen} />}
      <Range review={review} />
      <Together review={review} />
      <ul aria-label="File trovate">
        {rows.slice(0, SHOWN).map((row) => (
          <Line key={row.id} review={review} row={row} />
        ))}
      </ul>
      {rows.length > SHOWN && <p>… e altre {rows.length - SHOWN}: si scelgono nel disegno.</p>}
    </div>
  );
}
