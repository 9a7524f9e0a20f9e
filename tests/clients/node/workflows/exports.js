// Incremental exports, satisfaction and figures: what a warehouse pulls at night.
import {client, inside, tell} from '../desk.js';

await tell(async () => {
  const byTime = await client.tickets.incremental(1);
  const byCursor = new Set();
  let cursor = '';
  let end = false;
  for (let page = 0; page < 50 && !end; page += 1) {
    const got = inside(await client.ticketexport.exportCursor(1, cursor));
    for (const ticket of got.tickets ?? got) byCursor.add(ticket.id);
    cursor = got.after_cursor;
    end = got.end_of_stream ?? true;
  }
  const ratings = await client.satisfactionratings.list();
  const rating = inside(await client.satisfactionratings.show(ratings[0].id));
  const metrics = await client.ticketmetrics.listAll();
  return {
    byTime: new Set(byTime.map((ticket) => ticket.id)).size,
    byCursor: byCursor.size,
    ratings: ratings.length,
    score: (rating.satisfaction_rating ?? rating).score === ratings[0].score,
    metrics: metrics.length,
  };
});
