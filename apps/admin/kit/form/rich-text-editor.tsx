/** The editor of formatted texts; it offers only what the server keeps: strong, em, u, lists, two headings, quotations, links. */
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { readLink } from './rich-text-link.ts';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import richTextStyles from './rich-text.module.css';

const extensions = [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    code: false,
    codeBlock: false,
    strike: false,
    horizontalRule: false,
    link: {
      openOnClick: false,
      autolink: false,
      defaultProtocol: 'https',
      protocols: ['mailto'],
      HTMLAttributes: { target: null, rel: null },
    },
  }),
];

export interface RichTextEditorProps {
  start: string;
  onChange: (html: string) => void;
  labelledBy: string;
  describedBy: string;
  invalid: boolean;
}

export function RichTextEditor({
  start,
  onChange,
  labelledBy,
  describedBy,
  invalid,
}: RichTextEditorProps) {
  const [linking, setLinking] = useState(false);
  // Held for the editor's life: it takes its callbacks once.
  const editor = useEditor({
    extensions,
    content: start,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    onUpdate: ({ editor }) => onChange(editor.isEmpty ? '' : editor.getHTML()),
    editorProps: { attributes: attributesOf(labelledBy) },
  });
  useEffect(() => {
    const told: Record<string, string> = {
      ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
      ...(invalid ? { 'aria-invalid': 'true' } : {}),
    };
    editor.setOptions({ editorProps: { attributes: { ...attributesOf(labelledBy), ...told } } });
  }, [editor, labelledBy, describedBy, invalid]);
  return (
    <div>
      <Tools editor={editor} linking={linking} onLink={() => setLinking(!linking)} />
      {linking && <LinkLine editor={editor} onDone={() => setLinking(false)} />}
      <EditorContent editor={editor} />
    </div>
  );
}

function attributesOf(labelledBy: string): Record<string, string> {
  return {
    class: `${richTextStyles.body} ui-input`,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': labelledBy,
  };
}

function Tools({
  editor,
  linking,
  onLink,
}: {
  editor: Editor;
  linking: boolean;
  onLink: () => void;
}) {
  const on = useEditorState({
    editor,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      underline: editor.isActive('underline'),
      heading: editor.isActive('heading'),
      bullet: editor.isActive('bulletList'),
      ordered: editor.isActive('orderedList'),
      quote: editor.isActive('blockquote'),
      link: editor.isActive('link'),
    }),
  });
  const run = () => editor.chain().focus();
  return (
    // No toolbar: every button stays in the order of the tabs.
    <fieldset className={richTextStyles.tools} aria-label="Formato del testo">
      <Tool name="Grassetto" pressed={on.bold} onClick={() => run().toggleBold().run()}>
        <b aria-hidden="true">G</b>
        <span className="visually-hidden">Grassetto</span>
      </Tool>
      <Tool name="Corsivo" pressed={on.italic} onClick={() => run().toggleItalic().run()}>
        <i aria-hidden="true">C</i>
        <span className="visually-hidden">Corsivo</span>
      </Tool>
      <Tool
        name="Sottolineato"
        pressed={on.underline}
        onClick={() => run().toggleUnderline().run()}
      >
        <u aria-hidden="true">S</u>
        <span className="visually-hidden">Sottolineato</span>
      </Tool>
      <Tool
        name="Titoletto"
        pressed={on.heading}
        onClick={() => run().toggleHeading({ level: 3 }).run()}
      >
        Titoletto
      </Tool>
      <Tool
        name="Elenco puntato"
        pressed={on.bullet}
        onClick={() => run().toggleBulletList().run()}
      >
        <span aria-hidden="true">•</span> Elenco<span className="visually-hidden"> puntato</span>
      </Tool>
      <Tool
        name="Elenco numerato"
        pressed={on.ordered}
        onClick={() => run().toggleOrderedList().run()}
      >
        <span aria-hidden="true">1.</span> Elenco<span className="visually-hidden"> numerato</span>
      </Tool>
      <Tool name="Citazione" pressed={on.quote} onClick={() => run().toggleBlockquote().run()}>
        <span aria-hidden="true">«»</span>
        <span className="visually-hidden">Citazione</span>
      </Tool>
      <button
        type="button"
        className={richTextStyles.tool}
        aria-pressed={on.link}
        aria-expanded={linking}
        onClick={onLink}
      >
        Link
      </button>
    </fieldset>
  );
}

function Tool({
  name,
  pressed,
  onClick,
  children,
}: {
  name: string;
  pressed: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  // The mouse leaves the cursor where it is: what is typed next must not go to the button.
  return (
    <button
      type="button"
      className={richTextStyles.tool}
      onMouseDown={(event) => event.preventDefault()}
      title={name}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** The address of the link under the cursor or of the words that are chosen; without any the address is written itself. */
function LinkLine({ editor, onDone }: { editor: Editor; onDone: () => void }) {
  const old = editor.getAttributes('link')['href'];
  const [typed, setTyped] = useState(typeof old === 'string' ? old : '');
  const href = readLink(typed);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  function apply() {
    if (href === null) return;
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && old === undefined)
      chain
        .insertContent({
          type: 'text',
          text: typed.trim(),
          marks: [{ type: 'link', attrs: { href } }],
        })
        .run();
    else chain.setLink({ href }).run();
    onDone();
  }

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onDone();
  }

  /** The form around must not be sent. */
  function key(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') apply();
    else onDone();
  }

  return (
    <div className={richTextStyles.link}>
      <input
        ref={field}
        className="ui-input"
        type="text"
        inputMode="url"
        aria-label="Indirizzo del link"
        placeholder="https://… o un’e-mail"
        value={typed}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={key}
      />
      <button
        type="button"
        className={`ui-button ${buttonStyles.small}`}
        disabled={href === null}
        onClick={apply}
      >
        Metti il link
      </button>
      {old !== undefined && (
        <button
          type="button"
          className={`ui-button ui-button-quiet ${buttonStyles.small}`}
          onClick={remove}
        >
          Togli il link
        </button>
      )}
      {typed.trim() !== '' && href === null && (
        <p className="ui-field-error">
          Scrivi un indirizzo, per esempio www.teatro.it, o un’e-mail.
        </p>
      )}
    </div>
  );
}
