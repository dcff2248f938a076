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
import { drawingOfFound } from '#server/drawing/port/svg/found-drawing.ts';
import { PlaceChoice } from './place-choice.tsx';
import type { Place } from './place-drawing.ts';
import type { ReadPicture } from './read-file.ts';
import { ReviewMap } from './review-map.tsx';
import { ReviewRows } from './review-rows.tsx';
import { useReview, type Review } from './use-review.ts';
import { count } from './words.ts';

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
  const told = [
    `${count(seats, 'posto', 'posti')} in ${count(kept.length, 'fila', 'file')}.`,
    found.leftOut > 0 && `${count(found.leftOut, 'forma', 'forme')} di altra misura.`,
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
