import { button, html, setAttributes, uniqueId } from "../lib/dom";
import { plural } from "../lib/format";
import { Store } from "../lib/store";
import { twoStep } from "../lib/two-step";
import { boxCounts, dayNumber, graded, isDue, type Standing, type Standings } from "./leitner";

interface Card {
  readonly id: string;
  readonly deck: string;
  readonly topic: string;
  readonly row: HTMLElement;
  readonly front: HTMLElement;
  readonly back: HTMLElement;
}

const today = (): number => dayNumber(Date.now(), new Date().getTimezoneOffset());

/**
 * Flash cards in five boxes. The cards stand in the page as a table, of which this shows one row at a time.
 *
 * The cards of a chapter are one deck, kept under its name wherever they are shown. Where all decks are together only
 * those cards come up that have been met in their chapter.
 */
class FlashCards extends HTMLElement {
  private readonly decks = new Map<string, Deck>();
  private cards: Card[] = [];
  private queue: Card[] = [];
  private readonly head = html("p", { class: "cards-head", role: "status" });
  private readonly topic = html("p", { class: "cards-topic" });
  private readonly turn = button("Turn over", "el-primary", () => this.flip());
  private readonly grades = html("div", { class: "cards-grades" });
  private readonly rest = html("div", { class: "cards-rest", tabindex: -1 });
  private readonly boxes = html("p", { class: "cards-boxes" });

  connectedCallback(): void {
    if (this.hasAttribute("data-ready")) return;
    const table = this.querySelector<HTMLElement>(".cards-list");
    if (!table) return;
    this.cards = [...table.querySelectorAll<HTMLElement>("tbody tr")].map(readCard);
    for (const { deck } of this.cards) if (!this.decks.has(deck)) this.decks.set(deck, new Deck(deck));
    for (const part of [table, ...table.querySelectorAll("thead, tbody, tr, td")]) part.setAttribute("role", "presentation");
    this.grades.append(this.grade("Again", "1", false), this.grade("I knew it", "2", true));
    const stage = html("div", { class: "cards-stage", role: "group", "aria-label": "Flash card" });
    stage.addEventListener("keydown", (event) => this.onKey(event));
    table.replaceWith(stage);
    stage.append(this.topic, table, this.turn, this.grades, this.rest);
    this.prepend(this.head);
    const forget = twoStep({ text: "Forget my progress", question: () => this.atStake(), act: () => this.reset() });
    this.append(html("div", { class: "cards-foot" }, this.boxes, forget));
    setAttributes(this, { "data-ready": true });
    this.deal(this.inPlay().filter((card) => isDue(this.standing(card), today())), false);
  }

  private standing({ deck, id }: Card): Standing | undefined {
    return this.decks.get(deck)?.standings[id];
  }

  /** The cards that may come up. */
  private inPlay(): Card[] {
    return this.dataset["all"] ? this.cards.filter((card) => this.standing(card)) : this.cards;
  }

  private grade(text: string, key: string, known: boolean): HTMLButtonElement {
    const element = button(text, known ? "el-primary" : "", () => this.mark(known));
    element.append(html("kbd", { class: "cards-key", "aria-hidden": "true" }, key));
    setAttributes(element, { "aria-keyshortcuts": key });
    return element;
  }

  /** 1 and 2 grade a card that is turned over. */
  private onKey(event: KeyboardEvent): void {
    if (this.grades.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "1") this.mark(false);
    if (event.key === "2") this.mark(true);
  }

  private deal(cards: readonly Card[], focus: boolean): void {
    this.queue = [...cards];
    this.show(focus);
  }

  private flip(): void {
    const card = this.queue[0];
    if (!card) return;
    setAttributes(card.row, { "data-turned": true });
    this.turn.hidden = true;
    this.grades.hidden = false;
    card.back.focus();
  }

  private mark(known: boolean): void {
    const card = this.queue.shift();
    if (!card) return;
    this.decks.get(card.deck)?.set(card.id, graded(this.standing(card), known, today()));
    if (!known) this.queue.push(card);
    this.show(true);
  }

  private atStake(): string | null {
    const seen = this.cards.filter((card) => this.standing(card)).length;
    return seen === 0 ? null : `Forget ${plural(seen, "card")}?`;
  }

  private reset(): void {
    for (const deck of this.decks.values()) deck.clear();
    this.deal(this.inPlay(), true);
  }

  private show(focus: boolean): void {
    const card = this.queue[0];
    for (const { row } of this.cards) setAttributes(row, { "data-current": row === card?.row, "data-turned": false });
    this.head.textContent = card ? `${plural(this.queue.length, "card")} to go` : "No card is due";
    this.topic.textContent = card?.topic ?? "";
    this.turn.hidden = !card;
    this.grades.hidden = true;
    this.rest.replaceChildren(...(card ? [] : this.resting()));
    this.boxes.replaceChildren(...this.boxList());
    if (card) this.turn.setAttribute("aria-describedby", card.front.id);
    if (focus) (card ? this.turn : this.rest).focus();
  }

  /** What to say when no card is left for today. */
  private resting(): HTMLElement[] {
    const cards = this.inPlay();
    if (cards.length === 0) return [html("p", {}, "Go through the cards of a chapter once, and they come back here when they are due.")];
    const waits = cards.map((card) => (this.standing(card)?.due ?? 0) - today());
    const next = Math.min(...waits);
    const count = waits.filter((wait) => wait === next).length;
    const when = next === 1 ? "tomorrow" : `in ${next} days`;
    return [
      html("p", {}, `Done for today. ${plural(count, "card")} will be due ${when}.`),
      button("Go through all of them anyway", "", () => this.deal(cards, true)),
    ];
  }

  private boxList(): HTMLElement[] {
    const counts = boxCounts(this.cards.map((card) => this.standing(card)));
    const spans = counts.map((count, box) => html("span", {}, html("b", {}, String(count)), box === 0 ? " new" : ` in box ${box}`));
    return spans.filter((_, box) => counts[box] !== 0);
  }
}

/** Where the cards of one chapter stand. Another page may show them too, so what is kept is read again before it is changed. */
class Deck {
  standings: Standings;
  private readonly store: Store<Standings>;

  constructor(name: string) {
    this.store = new Store<Standings>("cards", name);
    this.standings = this.store.load({});
  }

  set(id: string, standing: Standing): void {
    this.standings = { ...this.store.load(this.standings), [id]: standing };
    this.store.save(this.standings);
  }

  clear(): void {
    this.store.clear();
    this.standings = {};
  }
}

function readCard(row: HTMLElement): Card {
  const cell = (name: string): HTMLElement => {
    const found = row.querySelector<HTMLElement>(`.${name}`) ?? html("td");
    found.id = uniqueId(name);
    return found;
  };
  const back = cell("card-back");
  back.tabIndex = -1;
  return { id: row.dataset["id"] ?? "", deck: row.dataset["deck"] ?? "", topic: row.dataset["topic"] ?? "", row, front: cell("card-front"), back };
}

customElements.define("flash-cards", FlashCards);
