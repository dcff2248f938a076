/**
 * The review of a picture: a person checks and corrects the found rows and names the colours'
 * categories before the drawing is made.
 */
import { useState } from 'react';
import { Button, Check, Select, TextField } from '#apps/chart/designer/kit/controls.tsx';
import { Dialog } from '#apps/chart/designer/kit/dialog.tsx';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { Raw } from '#server/drawing/model/open.ts';
import type { Direction } from '#server/drawing/port/svg/chains.ts';
import type { ShapeKind } from '#server/drawing/port/svg/shape-kinds.ts';
import { drawingOfFound } from '#server/drawing/port/svg/found-drawing.ts';
import { PlaceChoice } from './place-choice.tsx';
import type { Place } from './place-drawing.ts';
import type { ReadPicture } from './read-file.ts';
import { ReviewMap } from './review-map.tsx';
import { ReviewRows } from './review-rows.tsx';
import { useReview, type Review } from './use-review.ts';
import { count } from '#apps/chart/designer/kit/count.ts';

interface ReviewLook {
  picture: ReadPicture;
  place: Place;
  onPlace: (place: Place) => void;
  onMake: (drawing: Raw) => void;
  onBack: () => void;
  onClose: () => void;
}

/** More colours than this are decoration rather than categories. */
const MOST_COLORS = 12;

function startNames(colors: readonly string[]): Map<string, string> {
  if (colors.length > MOST_COLORS || colors.length === 1)
    return new Map(colors.map((color) => [color, 'Posto unico']));
  return new Map(colors.map((color, index) => [color, `Categoria ${index + 1}`]));
}

export function ReviewDialog(given: ReviewLook) {
  const { picture, place, onPlace, onMake, onBack, onClose } = given;
  const { newId } = useDesigner();
  const review = useReview(picture.marks);
  const { found } = review;
  const isOurs = found.rows.some(({ seats }) => seats.some(({ own }) => own));
  const [categories, setCategories] = useState(() => startNames(review.colors));
  const [hasTexts, setHasTexts] = useState(true);
  const [hasOutlines, setHasOutlines] = useState(isOurs);
  const kept = found.rows.filter(({ isKept }) => isKept);
  const make = () =>
    onMake(
      drawingOfFound(found, {
        newId,
        categories,
        hasTexts,
        hasOutlines,
        ...(isOurs ? { scale: 1 } : {}),
      }),
    );
  return (
    <Dialog
      title="File trovate nel disegno"
      onClose={onClose}
      wide
      footer={
        <>
          <Button onPress={onBack}>Altro file</Button>
          <Button icon="undo" disabled={!review.undo} onPress={() => review.undo?.()}>
            Annulla la correzione
          </Button>
          <Button look="primary" disabled={kept.length === 0} onPress={make}>
            {`Crea ${count(kept.length, 'fila', 'file')}`}
          </Button>
        </>
      }
    >
      <Told review={review} notes={picture.notes} />
      <div className="bsd-port-review">
        <div>
          <ReviewMap review={review} />
          <Kinds review={review} />
          <Options
            review={review}
            categories={categories}
            onCategory={(color, name) => setCategories(new Map([...categories, [color, name]]))}
          />
          <Check label="Porta anche i testi" checked={hasTexts} onChange={setHasTexts} />
          <Check
            label="Porta anche palco, pareti e altre forme grandi"
            checked={hasOutlines}
            onChange={setHasOutlines}
          />
          <PlaceChoice value={place} onChange={onPlace} />
        </div>
        <ReviewRows review={review} />
      </div>
    </Dialog>
  );
}

/** How many rows and seats were found, and what a person should check. */
function Told({ review: { found, doubles }, notes }: { review: Review; notes: string[] }) {
  const kept = found.rows.filter(({ isKept }) => isKept);
  const seats = kept.reduce((sum, row) => sum + row.seats.length, 0);
  const none =
    'Nessun posto trovato: le forme sono poche e grandi, come i settori di una pianta di zone. Se invece sono i posti, sceglile sotto.';
  const told = [
    found.rows.length === 0
      ? none
      : `${count(seats, 'posto', 'posti')} in ${count(kept.length, 'fila', 'file')}.`,
    found.rows.length > 0 &&
      found.leftOut > 0 &&
      `${count(found.leftOut, 'forma', 'forme')} di altra misura.`,
    doubles.rows.size > 0 &&
      `${count(doubles.rows.size, 'fila ha', 'file hanno')} un nome ripetuto.`,
    ...notes,
  ];
  return <p role="status">{told.filter(Boolean).join(' ')}</p>;
}

const directions: { value: Direction; text: string }[] = [
  { value: 'any', text: 'Come stanno i posti più vicini' },
  { value: 'horizontal', text: 'Da sinistra a destra' },
  { value: 'vertical', text: 'Dall’alto in basso' },
];

/** Rarer kinds of shapes are not seats. */
const SHOWN_KINDS = 8;

/** Which shapes are the seats, where a picture has several kinds of them. */
function Kinds({ review }: { review: Review }) {
  const { kinds, seatKinds, setSeatKinds, isUnsure } = review;
  const shown = kinds.filter(({ key }, at) => at < SHOWN_KINDS || seatKinds.has(key));
  if (shown.length < 2 && !isUnsure) return null;
  return (
    <fieldset className="bsd-port-choice">
      <legend>Quali forme sono i posti</legend>
      {shown.map((kind) => (
        <div key={kind.key} className="bsd-port-color">
          <Shape kind={kind} />
          <Check
            label={`${count(kind.count, 'forma', 'forme')} da ${sizeOf(kind)}`}
            checked={seatKinds.has(kind.key)}
            onChange={(isSeat) => {
              const next = new Set(seatKinds);
              if (isSeat) next.add(kind.key);
              else next.delete(kind.key);
              setSeatKinds(next);
            }}
          />
        </div>
      ))}
    </fieldset>
  );
}

function sizeOf({ width, height }: ShapeKind): string {
  const told = (length: number) =>
    length.toLocaleString('it', { maximumFractionDigits: length < 10 ? 1 : 0 });
  return `${told(width)} × ${told(height)}`;
}

function Shape({ kind: { width, height, color } }: { kind: ShapeKind }) {
  const scale = 18 / Math.max(width, height, 0.001);
  const [wide, high] = [Math.max(2, width * scale), Math.max(2, height * scale)];
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <rect
        x={10 - wide / 2}
        y={10 - high / 2}
        width={wide}
        height={high}
        rx="3"
        fill={color === '' ? 'none' : color}
        stroke="currentColor"
      />
    </svg>
  );
}

interface OptionsLook {
  review: Review;
  categories: ReadonlyMap<string, string>;
  onCategory: (color: string, name: string) => void;
}

function Options({ review, categories, onCategory }: OptionsLook) {
  return (
    <>
      <Select
        label="Verso delle file"
        value={review.direction}
        options={directions}
        onChange={(direction) => review.setDirection(direction as Direction)}
        hint="Cambiandolo le file si cercano di nuovo."
      />
      {review.colors.length > 1 && review.colors.length <= MOST_COLORS && (
        <fieldset className="bsd-port-choice">
          <legend>Un colore, una categoria</legend>
          {review.colors.map((color, index) => (
            <div key={color} className="bsd-port-color">
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <circle
                  cx="10"
                  cy="10"
                  r="9"
                  fill={color === '' ? 'none' : color}
                  stroke="currentColor"
                />
              </svg>
              <TextField
                label={`Categoria del colore ${index + 1}`}
                hideLabel
                value={categories.get(color) ?? ''}
                maxLength={60}
                onCommit={(name) => onCategory(color, name.trim())}
              />
            </div>
          ))}
        </fieldset>
      )}
    </>
  );
}
