/** The new hall with its people: the chosen group is bright, its new seats are white. */
import { useEffect, useMemo, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { paintHall, placeAt, wholeSight, zoomed, type Look, type Sight } from './hall-painter.ts';
import { floorOf, type Floor, type Group, type NewHall, type NewPlace, type Plan } from './plan.ts';
import styles from './rehousing.module.css';

interface HallMapProps {
  hall: NewHall;
  plan: Plan;
  group: Group | null;
  picked: readonly string[];
  onPick: (place: NewPlace) => void;
  /** The place under the dragged group; null: none. */
  onCarry: (place: NewPlace | null) => void;
  onDrop: () => void;
}

const looks: readonly Look[] = ['free', 'sold', 'blocked', 'found', 'chosen'];
const legend: readonly (readonly [Look, string])[] = [
  ['free', 'Libero'],
  ['sold', 'Assegnato'],
  ['blocked', 'Bloccato a mano'],
  ['found', 'Gruppo scelto'],
  ['chosen', 'Posto nuovo'],
];

export function HallMap(props: HallMapProps) {
  const { hall, plan, group, picked, onPick, onCarry, onDrop } = props;
  const seated = useMemo(() => seatedIn(plan), [plan]);
  const own = useMemo(
    () => new Set(group?.lines.flatMap(({ to_object }) => to_object ?? [])),
    [group],
  );
  const lookOf = ({ object, places }: NewPlace): Look => {
    if (picked.includes(object)) return 'chosen';
    if (own.has(object)) return 'found';
    const who = seated.get(object);
    if (who === undefined || places > 1) return 'free';
    return who.some(({ locked }) => locked) ? 'blocked' : 'sold';
  };
  const [floor, setFloor] = useFloor(hall, group);
  const shown = useMemo(() => floorOf(hall, floor), [hall, floor]);
  const { canvas, find, zoom, shift, whole } = useSight(shown, lookOf);
  useWheel(canvas, zoom);
  const [under, setUnder] = useState<NewPlace | null>(null);
  const who = under === null ? undefined : seated.get(under.object);
  const press = useDrag({
    shift,
    mayCarry: (at) => own.has(find(at)?.object ?? ''),
    onCarry: (at) => onCarry(find(at)),
    onDrop,
    onHover: (at) => setUnder(find(at)),
    onPress(at) {
      const place = find(at);
      if (place !== null) onPick(place);
    },
  });
  return (
    <section className={styles.map} aria-label="Pianta della nuova sala">
      <div className={styles.zoom}>
        {hall.floors.length > 1 && (
          <Segments
            legend="Livello"
            value={floor}
            options={hall.floors.map(({ name }) => [name, name])}
            onChange={setFloor}
          />
        )}
        <Button small aria-label="Ingrandisci" label="+" onClick={() => zoom(1.4)} />
        <Button small aria-label="Rimpicciolisci" label="−" onClick={() => zoom(1 / 1.4)} />
        <Button small label="Tutta" onClick={whole} />
      </div>
      <div className={styles.frame}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Pianta della nuova sala: ${formatCount(hall.places.length, 'posto', 'posti')}, ${formatCount(seated.size, 'assegnato', 'assegnati')}. Con la tastiera i posti si scrivono.`}
          {...press}
        />
      </div>
      <p className={styles.under}>{under === null ? hintWords(group) : underWords(under, who)}</p>
      <Legend />
    </section>
  );
}

function Legend() {
  return (
    <ul className={styles.legend}>
      {legend.map(([look, word]) => (
        <li key={look} data-look={look}>
          {word}
        </li>
      ))}
    </ul>
  );
}

function hintWords(group: Group | null): string {
  return group === null
    ? 'Passa su un posto per sapere di chi è.'
    : 'Trascina il gruppo dove vuoi, oppure tocca i posti nuovi.';
}

/** The chosen group's floor, until the user opens another. */
function useFloor({ floors, places }: NewHall, group: Group | null) {
  const object = group?.lines.find(({ to_object }) => to_object !== null)?.to_object;
  const [looked, setLooked] = useState({ floor: floors[0]?.name ?? '', object });
  const own = places.find((place) => place.object === object)?.floor;
  const floor = looked.object === object ? looked.floor : (own ?? looked.floor);
  return [floor, (next: string) => setLooked({ floor: next, object })] as const;
}

/** The wheel zooms around the pointer and does not scroll the page. */
function useWheel(
  canvas: RefObject<HTMLCanvasElement | null>,
  zoom: (factor: number, at: Point) => void,
) {
  useEffect(() => {
    const { current } = canvas;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / wheelPixels), { x: event.offsetX, y: event.offsetY });
    };
    current?.addEventListener('wheel', turn, { passive: false });
    return () => current?.removeEventListener('wheel', turn);
  });
}

/** This much wheel movement zooms by e (2.7 times). */
const wheelPixels = 400;

interface Seated {
  number: string;
  buyer_name: string | null;
  locked: boolean;
}

function seatedIn(plan: Plan): Map<string, Seated[]> {
  const all = plan.groups.flatMap(({ number, buyer_name, lines }) =>
    lines.flatMap(({ to_object, locked }) =>
      to_object === null ? [] : [{ object: to_object, number, buyer_name, locked }],
    ),
  );
  return Map.groupBy(all, ({ object }) => object);
}

function underWords(place: NewPlace, who: readonly Seated[] = []): string {
  const where = `${place.name} (${place.category})`;
  if (!place.sold) return `${where}: non in vendita`;
  const [first] = who;
  if (first === undefined) return `${where}: libero`;
  if (place.places > 1) return `${where}: ${who.length} di ${place.places}`;
  return `${where}: ${isolate(first.buyer_name ?? 'senza nome')}, ${first.number}`;
}

interface Point {
  x: number;
  y: number;
}

/** A canvas that is painted again after each change. */
function useSight(hall: Floor, lookOf: (place: NewPlace) => Look) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [moved, setMoved] = useState<{ of: Floor; sight: Sight } | null>(null);
  const whole = useMemo(() => wholeSight(hall, size.width, size.height), [hall, size]);
  const sight = moved?.of === hall ? moved.sight : whole;
  const look = (to: Sight) => setMoved({ of: hall, sight: to });
  useEffect(() => {
    const watcher = new ResizeObserver((entries) => {
      for (const { contentRect } of entries)
        setSize({ width: contentRect.width, height: contentRect.height });
    });
    watcher.observe(requireValue(canvas.current, 'canvas'));
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    const { current } = canvas;
    if (current === null || size.width === 0) return;
    current.width = Math.round(size.width * devicePixelRatio);
    current.height = Math.round(size.height * devicePixelRatio);
    const style = getComputedStyle(current);
    const tokenOf = (name: string) => style.getPropertyValue(`--seat-${name}`).trim();
    const colors = Object.fromEntries(looks.map((look) => [look, tokenOf(look)])) as Record<
      Look,
      string
    >;
    const letter = tokenOf('letter');
    const pen = requireValue(current.getContext('2d'), 'pen');
    paintHall(pen, { hall, lookOf, colors, letter, sight });
  });
  const middle = { x: size.width / 2, y: size.height / 2 };
  return {
    canvas,
    find: (at: Point) => placeAt(hall, sight, at),
    zoom: (factor: number, at: Point = middle) => look(zoomed(sight, factor, at)),
    shift: (by: Point) => look({ ...sight, x: sight.x + by.x, y: sight.y + by.y }),
    whole: () => setMoved(null),
  };
}

/** A press that moves farther is a drag. */
const slipPixels = 5;

interface Hands {
  shift: (by: Point) => void;
  /** A drag from a seat of the chosen group moves the group and not the map. */
  mayCarry: (at: Point) => boolean;
  onCarry: (at: Point) => void;
  onDrop: () => void;
  onHover: (at: Point) => void;
  onPress: (at: Point) => void;
}

function useDrag({ shift, mayCarry, onCarry, onDrop, onHover, onPress }: Hands) {
  const from = useRef<(Point & { slipped: boolean; carries: boolean }) | null>(null);
  const pointOf = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent) => ({
    x: offsetX,
    y: offsetY,
  });
  return {
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId);
      const at = pointOf(event);
      from.current = { ...at, slipped: false, carries: mayCarry(at) };
    },
    onPointerMove(event: PointerEvent) {
      const at = pointOf(event);
      const { current } = from;
      if (current === null) return onHover(at);
      const by = { x: at.x - current.x, y: at.y - current.y };
      if (!current.slipped && Math.hypot(by.x, by.y) < slipPixels) return;
      from.current = { ...current, ...at, slipped: true };
      if (current.carries) onCarry(at);
      else shift(by);
    },
    onPointerUp(event: PointerEvent) {
      const { current } = from;
      from.current = null;
      if (current?.slipped === false) onPress(pointOf(event));
      else if (current?.carries) onDrop();
    },
    onPointerCancel() {
      from.current = null;
    },
  };
}
