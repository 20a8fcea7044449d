"""Knows the members of each school: a consumer of school.events to begin from, see docs/writing-a-consumer.md.

Environment: KAFKA_BROKERS, KAFKA_PREFIX, OWNER_URL (of the school service), HISTORY_TOKEN, STATE (a file of SQLite).
"""
import json, os, sqlite3, time
import urllib.parse, urllib.request

from kafka import KafkaConsumer, TopicPartition

SOURCE = "school"
TOPIC = f"{os.environ.get('KAFKA_PREFIX', '')}{SOURCE}.events"
VERSIONS = {"MemberJoined": 1, "MemberErased": 1, "SubjectErased": 1}  # Other types are nothing to this program.
LOOK_EVERY = float(os.environ.get("LOOK_EVERY", "10"))  # Seconds between looks at the owner.

db = sqlite3.connect(os.environ["STATE"])
db.execute("CREATE TABLE IF NOT EXISTS places (lane PRIMARY KEY, position, commit_id, epoch)")
db.execute("CREATE TABLE IF NOT EXISTS members (school, member, lane, PRIMARY KEY (school, member))")


def owner(path, **query):
    url = f"{os.environ['OWNER_URL']}/internal/facts/{SOURCE}/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"x-service-token": os.environ["HISTORY_TOKEN"]})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def place_in(lane):
    places = db.execute("SELECT position, commit_id, epoch FROM places WHERE lane = ?", (lane,))
    return places.fetchone() or (0, None, None)


def apply(lane, message, epoch):
    """Writes what follows from a commit, and the place after it: both or neither."""
    with db:
        for fact in message["facts"]:
            kind, data, school = fact["type"], fact["data"], message["tenant"]
            if kind in VERSIONS and fact["schema"] != VERSIONS[kind]:
                raise SystemExit(f"{kind} has version {fact['schema']}: change this program first")
            if kind == "MemberJoined":
                db.execute("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", (school, data["member_id"], lane))
            elif kind in VERSIONS:
                gone = data["subject"] if kind == "SubjectErased" else data["member_id"]
                db.execute("DELETE FROM members WHERE school = ? AND member = ?", (school, gone))
        after = (lane, message["position"], message.get("commitId"), epoch)
        db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", after)


def catch_up(lane):
    """Reads what the owner has after the place. When the owner has another history than before, it begins anew."""
    while True:
        position, commit, epoch = place_in(lane)
        page = owner(lane, after=position, limit=200, **({"commit": commit} if commit else {}))
        if position > 0 and (page.get("is_other") or page.get("incarnation") != epoch):
            with db:
                db.execute("DELETE FROM members WHERE lane = ?", (lane,))
                db.execute("DELETE FROM places WHERE lane = ?", (lane,))
            continue
        for message in page["messages"]:
            apply(lane, message, page.get("incarnation"))
        if len(page["messages"]) < 200:
            return


def receive(lane, header, facts):
    """Takes a commit from Kafka: drops an old one, applies the next one, and asks the owner before any other."""
    position, at = place_in(lane), int(header["ce_sequence"])
    follows = (int(header["ce_prev"]), header.get("ce_prevcommit"), header.get("ce_logepoch"))
    if position[2] == follows[2] and at <= position[0]:
        return
    if follows != position or len(facts) != int(header["ce_index"]) + 1:
        return catch_up(lane)
    message = {"position": at, "commitId": header.get("ce_commit"), "tenant": header["ce_tenant"]}
    apply(lane, {**message, "facts": facts}, position[2])


brokers = os.environ["KAFKA_BROKERS"].split(",")
kafka = KafkaConsumer(bootstrap_servers=brokers, enable_auto_commit=False, auto_offset_reset="earliest")
partitions = [TopicPartition(TOPIC, lane) for lane in range(owner("heads")["lanes"])]
while len(kafka.partitions_for_topic(TOPIC) or ()) < len(partitions):
    time.sleep(1)  # The owner makes the topic when it first publishes.
kafka.assign(partitions)
kafka.seek_to_end()
_ = [kafka.position(each) for each in partitions]  # Kafka brings what is after, the owner has what is before.
looked, facts, said = None, {}, None
while True:
    if looked is None or time.monotonic() - looked > LOOK_EVERY:
        looked = time.monotonic()
        for lane in range(len(partitions)):
            catch_up(lane)  # At first everything, later what was lost without a later record to tell of it.
    counts = dict(db.execute("SELECT school, count(*) FROM members GROUP BY school"))
    if counts != said:
        print(json.dumps(said := counts), flush=True)
    for (_, lane), records in kafka.poll(timeout_ms=500).items():
        for record in records:
            header = {name: value.decode() for name, value in record.headers}
            facts[lane] = [] if header["ce_index"] == "0" else facts.get(lane, [])
            version = int(header.get("ce_dataschema", ":0").split(":")[-1])
            facts[lane].append({"type": header["ce_type"], "schema": version, "data": json.loads(record.value)})
            if header["ce_last"] == "true":
                receive(lane, header, facts[lane])
