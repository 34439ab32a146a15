"""The book's library reads text: small files in the formats of the real ones."""

import pytest
from d2l_files import offer, packed


@pytest.fixture
def no_workers(d2l, monkeypatch):
    monkeypatch.setattr(d2l, "get_dataloader_workers", lambda: 0)


def test_words_and_letters(d2l):
    assert d2l.tokenize(["a bc", "d"]) == [["a", "bc"], ["d"]]
    assert d2l.tokenize(["a b"], token="char") == [["a", " ", "b"]]
    assert d2l.truncate_pad([1, 2, 3], 2, 0) == [1, 2]
    assert d2l.truncate_pad([1, 2, 3], 5, 0) == [1, 2, 3, 0, 0]


def test_time_machine(d2l, tmp_path, monkeypatch):
    """Windows of the text, and the same windows one letter on."""
    path = tmp_path / "text"
    path.write_text("The Time,\nThe 2 Machine")
    monkeypatch.setattr(d2l, "download", lambda *arguments: path)
    data = d2l.TimeMachine(batch_size=2, num_steps=4, num_train=6, num_val=2)
    text = "the time the machine"
    assert data.vocab.idx_to_token == sorted({*text, "<unk>"})
    x, y = next(iter(data.val_dataloader()))
    assert ["".join(data.vocab.to_tokens(row)) for row in x] == [text[6:10], text[7:11]]
    assert ["".join(data.vocab.to_tokens(row)) for row in y] == [text[7:11], text[8:12]]
    assert len(data.train_dataloader()) == 3 and data.X.shape == (len(text) - 4, 4)


PAIRS = "Go.\tVa !\nGo!\tVa !\nWho?\tQui ?\nRun!\tCours !\n"


@pytest.fixture
def pairs(d2l, tmp_path, monkeypatch):
    offer(d2l, tmp_path, monkeypatch, "fra-eng", {"fra-eng/fra.txt": PAIRS.encode()})


def test_translations(d2l, pairs):
    """Words that are there once are unknown; the end is marked, and the rest filled."""
    assert d2l.read_data_nmt() == PAIRS
    text = d2l.preprocess_nmt("Go.\tVa\u202f!\n")
    assert text == "go .\tva !\n"
    assert d2l.tokenize_nmt("a b\tc\nd\te f\n\ng\th", num_examples=1) == (
        [["a", "b"], ["d"]],
        [["c"], ["e", "f"]],
    )
    batches, source, target = d2l.load_data_nmt(batch_size=4, num_steps=4)
    assert source.idx_to_token == ["!", "<bos>", "<eos>", "<pad>", "<unk>", "go"]
    assert "va" in target.token_to_idx and "cours" not in target.token_to_idx
    ((x, x_length, y, y_length),) = batches
    assert x.shape == y.shape == (4, 4) and x_length.tolist() == y_length.tolist() == [3] * 4
    assert source[["go", "!", "<eos>", "<pad>"]] in x.tolist()
    assert target[["<unk>", "!", "<eos>", "<pad>"]] in y.tolist()


def test_translations_as_a_module(d2l, tmp_path, monkeypatch):
    """The target begins with <bos>, and what is to be told is one word on."""
    (tmp_path / "work").mkdir()
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    packed(tmp_path / "data/fra-eng.zip", {"fra-eng/fra.txt": PAIRS.encode()})
    monkeypatch.setattr(d2l, "download", lambda *arguments: "../data/fra-eng.zip")
    data = d2l.MTFraEng(batch_size=3, num_steps=4, num_train=3, num_val=1)
    x, given, length, wanted = next(iter(data.val_dataloader()))
    assert data.src_vocab.to_tokens(x[0]) == ["<unk>", "!", "<eos>", "<pad>"]
    assert data.tgt_vocab.to_tokens(given[0]) == ["<bos>", "<unk>", "!", "<eos>"]
    assert data.tgt_vocab.to_tokens(wanted[0]) == ["<unk>", "!", "<eos>", "<pad>"]
    assert length.tolist() == [3] and len(list(data.train_dataloader())) == 1
    built = data.build(["Go !"], ["Va !"])
    assert data.src_vocab.to_tokens(built[0][0])[:2] == ["go", "!"]


def test_windows_around_words(d2l):
    """Each word is a centre; others of its line, next to it, are its context."""
    centers, contexts = d2l.get_centers_and_contexts([[1, 2, 3], [4], [5, 6]], 1)
    assert centers == [1, 2, 3, 5, 6] and contexts == [[2], [1, 3], [2], [6], [5]]


def test_words_that_are_too_many(d2l):
    """The share that is kept falls with the count: a rare word stays, a common one hardly."""
    lines = [["the"] * 9000, ["rare"], ["once"]]
    vocab = d2l.Vocab([["the", "rare"]])
    kept, counter = d2l.subsample(lines, vocab)
    assert counter == {"the": 9000, "rare": 1} and kept[2] == []
    assert 30 < len(kept[0]) < 200  # nearly 90 of 9000


def test_drawn_numbers(d2l):
    generator = d2l.RandomGenerator([2, 0, 4])
    drawn = [generator.draw() for _ in range(10001)]
    assert set(drawn) == {1, 3} and 6200 < drawn.count(3) < 7100


def test_noise_words(d2l):
    vocab = d2l.Vocab([["a", "b", "c"]])
    counter = {"a": 1, "b": 1, "c": 1}
    (negatives,) = d2l.get_negatives([[1, 2]], vocab, counter, K=3)
    assert negatives == [3] * 6  # neither a context word nor the unknown one, of number 0


def test_rows_of_one_length(d2l):
    found = d2l.batchify([(1, [2, 2], [3, 3, 3]), (1, [2], [3, 3])])
    assert [part.tolist() for part in found] == [
        [[1], [1]],
        [[2, 2, 3, 3, 3], [2, 3, 3, 0, 0]],
        [[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]],
        [[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]],
    ]


def test_ptb(d2l, tmp_path, monkeypatch, no_workers):
    text = "\n".join(["b c d e f"] * 40 + ["rare"])
    offer(d2l, tmp_path, monkeypatch, "ptb", {"ptb/ptb.train.txt": text.encode()})
    assert d2l.read_ptb()[39:] == [["b", "c", "d", "e", "f"], ["rare"]]
    monkeypatch.setattr(d2l.random, "uniform", lambda low, high: low)  # all words stay
    batches, vocab = d2l.load_data_ptb(50, 2, 3)
    assert vocab.idx_to_token == ["<unk>", "b", "c", "d", "e", "f"] and len(batches) == 4
    centers, words, masks, labels = next(iter(batches))
    assert centers.shape == (50, 1) and words.shape == masks.shape == labels.shape
    assert (masks.sum(axis=1) == 4 * labels.sum(axis=1)).all()  # three noise words for each


def test_vectors_of_words(d2l, tmp_path, monkeypatch):
    """The first line of some files is a count, and no word."""
    text = b"2 3\nking 1 2 3\nqueen 4 5 6.5\n"
    offer(d2l, tmp_path, monkeypatch, "glove.6b.50d", {"glove.6B.50d/vec.txt": text})
    words = d2l.TokenEmbedding("glove.6b.50d")
    assert len(words) == 3 and words.token_to_idx["queen"] == 2
    assert words[["queen", "?"]].tolist() == [[4, 5, 6.5], [0, 0, 0]]


def test_pairs_of_sentences(d2l, monkeypatch):
    assert d2l.get_tokens_and_segments(["a"]) == (["<cls>", "a", "<sep>"], [0, 0, 0])
    both = (["<cls>", "a", "<sep>", "b", "c", "<sep>"], [0, 0, 0, 1, 1, 1])
    assert d2l.get_tokens_and_segments(["a"], ["b", "c"]) == both
    monkeypatch.setattr(d2l.random, "random", lambda: 0.4)
    assert d2l._get_next_sentence("x", "y", [["z"]]) == ("x", "y", True)
    paragraph = [["a"], ["b", "c"], ["d"] * 9]
    found = d2l._get_nsp_data_from_paragraph(paragraph, [paragraph], None, 8)
    assert found == [(*both, True)]  # the next pair is too long
    monkeypatch.setattr(d2l.random, "random", lambda: 0.6)
    assert d2l._get_next_sentence("x", "y", [["z"]]) == ("x", "z", False)


def test_masked_words(d2l, monkeypatch):
    vocab = d2l.Vocab(["a", "b"], reserved_tokens=["<mask>", "<pad>", "<cls>", "<sep>"])
    tokens = ["<cls>", "a", "b", "<sep>"]
    monkeypatch.setattr(d2l.random, "random", lambda: 0.1)
    words, labels = d2l._replace_mlm_tokens(tokens, [1, 2], 2, vocab)
    assert words == ["<cls>", "<mask>", "<mask>", "<sep>"] and sorted(labels) == [
        (1, "a"),
        (2, "b"),
    ]
    ids, (place,), (label,) = d2l._get_mlm_data_from_tokens(tokens, vocab)
    assert ids[place] == vocab["<mask>"] and label == vocab[tokens[place]] and place in (1, 2)
    monkeypatch.setattr(d2l.random, "random", iter([0.9, 0.1]).__next__)
    assert d2l._replace_mlm_tokens(tokens, [1], 1, vocab) == (tokens, [(1, "a")])


def test_inputs_of_one_length(d2l):
    vocab = d2l.Vocab(["a"], reserved_tokens=["<pad>"])
    found = d2l._pad_bert_inputs([([2, 2, 2], [1], [2], [0, 1, 1], True)], 10, vocab)
    ids, segments, lengths, places, weights, labels, follows = (part[0] for part in found)
    assert ids.tolist() == [2] * 3 + [vocab["<pad>"]] * 7 and segments.tolist()[:4] == [0, 1, 1, 0]
    assert (lengths.item(), places.tolist(), weights.tolist()) == (3, [1, 0], [1, 0])
    assert labels.tolist() == [2, 0] and follows.item() == 1


def test_wiki(d2l, tmp_path, monkeypatch, no_workers):
    text = " = Title = \n" + "A cat sat . The cat ran . It fell \n" * 6
    files = {"wikitext-2/wiki.train.tokens": text.encode()}
    offer(d2l, tmp_path, monkeypatch, "wikitext-2", files)
    batches, vocab = d2l.load_data_wiki(batch_size=4, max_len=20)
    paragraphs = d2l._read_wiki("../data/wikitext-2")
    assert paragraphs == [["a cat sat", "the cat ran", "it fell"]] * 6
    held = d2l._WikiTextDataset(paragraphs, 20)
    assert len(held) == 12 and len(held.vocab) == len(vocab) == 5 + 7
    shapes = [part.shape for part in next(iter(batches))]
    assert shapes == [(4, 20), (4, 20), (4,), (4, 3), (4, 3), (4, 3), (4,)]
    ids, segments, length = held[0][:3]
    assert ids[0].item() == vocab["<cls>"] and segments.sum().item() < length.item()
    assert (ids.asnumpy()[int(length.item()) :] == vocab["<pad>"]).all()


def test_reviews(d2l, tmp_path, monkeypatch):
    files = {
        f"aclImdb/{part}/{kind}/{i}.txt": f"film {kind} film\nend".encode()
        for part in ("train", "test")
        for kind in ("pos", "neg")
        for i in range(3)
    }
    offer(d2l, tmp_path, monkeypatch, "aclImdb", files)
    train, test, vocab = d2l.load_data_imdb(4, num_steps=5)
    assert vocab.idx_to_token == ["<unk>", "film", "filmend"]  # what is there five times
    data, labels = d2l.read_imdb("../data/aclImdb", is_train=True)
    assert labels == [1, 1, 1, 0, 0, 0] and data[5] == "film neg filmend"
    assert [x.tolist() for x, _ in test] == [[[1, 0, 2, 0, 0]] * 4, [[1, 0, 2, 0, 0]] * 2]
    assert sorted(label for _, part in train for label in part.tolist()) == [0, 0, 0, 1, 1, 1]


SNLI = "label\ta\tb\n" + "".join(
    f"{kind}\t( The ( cat  sat ) )\t( A cat )\n"
    for kind in ("entailment", "-", "contradiction", "neutral", "neutral", "neutral")
)


def test_inferences(d2l, tmp_path, monkeypatch, no_workers, capsys):
    """Brackets go, and rows without a label too."""
    files = {f"snli_1.0/snli_1.0_{part}.txt": SNLI.encode() for part in ("train", "test")}
    offer(d2l, tmp_path, monkeypatch, "SNLI", files)
    train, test, vocab = d2l.load_data_snli(2, num_steps=4)
    assert capsys.readouterr().out == "read 5 examples\n" * 2
    rows = d2l.read_snli("../data/snli_1.0", is_train=False)
    assert rows == (["The cat sat"] * 5, ["A cat"] * 5, [0, 1, 2, 2, 2])
    held = d2l.SNLIDataset(rows, 4, vocab)
    (premise, hypothesis), label = held[1]
    assert vocab.to_tokens(premise) == ["The", "cat", "sat", "<pad>"] and len(held) == 5
    assert vocab.to_tokens(hypothesis) == ["A", "cat", "<pad>", "<pad>"] and label == 1
    assert [y.tolist() for _, y in test] == [[0, 1], [2, 2], [2]] and len(train) == 3
